/** The focus never falls off the page: a person without a mouse would begin again at its top. */

/** The focused element and its ancestors: the focus moves to the nearest one when the element is removed. */
let path: readonly Element[] = [];

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) path = ancestorsOf(target);
  });
  // A click beside every control takes the focus away on purpose.
  document.addEventListener("focusout", () =>
    queueMicrotask(() => {
      if (isNowhere() && path[0]?.isConnected) path = [];
    }),
  );
  // A removed element has no event of its own.
  new MutationObserver(() => {
    if (isNowhere() && path[0] && !path[0].isConnected) focusNear(path);
  }).observe(document, { childList: true, subtree: true });
}

/** For the end of a dialog: back to the control that opened it, or to the heading above if that one is gone. */
export function rememberFocus(): () => void {
  const before = isNowhere() || !document.activeElement ? path : ancestorsOf(document.activeElement);
  return () => {
    const [opener] = before;
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    else focusNear(before);
  };
}

const isNowhere = (): boolean => document.activeElement === document.body || !document.activeElement;

function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) found.push(each);
  return found;
}

const HEADINGS = "h1, h2, h3";

function focusNear(lost: readonly Element[]): void {
  const place = lost.find((each) => each.isConnected && each.querySelector(HEADINGS)) ?? document.body;
  const heading = place.querySelector<HTMLElement>(HEADINGS);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
