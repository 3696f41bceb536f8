/** The address of the page: which page it is, and its filters. */
import { type Query, searchOf } from "./path.ts";
import { createStore, useStore } from "./store.ts";

const ROOT = "/dashboard";

const readAddress = () => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const address = createStore(readAddress());

export const href = (path: string, query: Query = {}): string => ROOT + path + searchOf(query);

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(history.state, "", to);
  else {
    rememberScroll();
    history.pushState(null, "", to);
    isBack = false;
  }
  address.set(readAddress());
}

type Visit = { scrollTop?: number } | null;
let isBack = false;

/** In the entry of the history that is being left. */
const rememberScroll = (): void => history.replaceState({ scrollTop: scrollY } satisfies Visit, "");

/** False after Back and Forward: then the place where the reader was is found again. */
export const isNewVisit = (): boolean => !isBack;

function goBackTo(visit: Visit): void {
  isBack = true;
  restoreScroll(visit?.scrollTop ?? 0);
}

const RESTORE_WITHIN_MS = 10_000;

/** The rows may have to be read first: until the page is long enough, or the reader scrolls. */
function restoreScroll(top: number): void {
  const watch = new ResizeObserver(() => {
    const room = document.documentElement.scrollHeight - innerHeight;
    if (room < top) return;
    scrollTo(0, top);
    stop();
  });
  const stop = () => watch.disconnect();
  for (const event of ["wheel", "pointerdown", "keydown"]) addEventListener(event, stop, { once: true });
  setTimeout(stop, RESTORE_WITHIN_MS);
  watch.observe(document.body);
}

/** Links are real links; those of the dashboard change the page without loading it anew. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", rememberScroll);
  addEventListener("popstate", ({ state }) => {
    const { path, query } = address.get();
    // A link within the page, such as the one to its content.
    if (path === location.pathname && String(query) === location.search.slice(1)) return;
    goBackTo(state);
    address.set(readAddress());
  });
  if (history.state) goBackTo(history.state);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.origin !== location.origin || !isOurs(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.href);
  });
}

const isOurs = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);

export const usePath = (): string => useStore(address).path.slice(ROOT.length).replace(/\/$/, "") || "/";

/** Filters live in the address, so that a list can be bookmarked and sent to a colleague. */
export function useFilters() {
  const { path, query } = useStore(address);
  const get = (name: string): string => query.get(name) ?? "";
  /** Without the page, which belongs to the filters before. */
  const hrefOf = (changes: Query): string => {
    const merged = { ...Object.fromEntries(query), page: undefined, cursor: undefined, ...changes };
    return href(path.slice(ROOT.length), merged);
  };
  return {
    get,
    /** Values of these names; an empty text if a name is not set. */
    of: <Name extends string>(names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, get(name)])) as Record<Name, string>,
    href: hrefOf,
    set: (changes: Query) => navigate(hrefOf(changes), { replace: true }),
  };
}

/** The parameters of a path that fits a pattern such as /deliveries/:id. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const found = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(path);
  try {
    const params = Object.entries(found?.groups ?? {});
    return found && Object.fromEntries(params.map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
