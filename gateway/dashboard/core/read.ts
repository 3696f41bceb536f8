/** Reads for a page: old data stays visible while new data loads, and live pages stop polling while they are hidden. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure, sessionState } from "./http.ts";

export type Read<T> = {
  value: T | null;
  failure: ApiFailure | null;
  isLoading: boolean;
  reload(): Promise<void>;
};

type Load<T> = (asked: { background: boolean }) => Promise<T>;
/** How often a live page asks; a function of the last answer can end it with 0. */
type Every<T> = number | ((value: T | null) => number);
type State<T> = { key: string | null; value: T | null; failure: ApiFailure | null; isLoading: boolean };
type Flight = { done: Promise<void>; next: Promise<void> | null };

/** A list whose key is its filters: the rows before stay visible until the new ones arrive. */
export const useList = <T>(key: string, load: Load<T>, every: Every<T> = 0): Read<T> =>
  useRead(key, load, every, true);

/** `key` names what is read: another key is another read, which begins without a value. Null: not yet. */
export function useRead<T>(
  key: string | null,
  load: Load<T>,
  every: Every<T> = 0,
  keepsOld = false,
): Read<T> {
  const empty: State<T> = { key, value: null, failure: null, isLoading: key !== null };
  const [stored, setState] = useState(empty);
  const crash = useCrash();
  const state = stored.key === key || keepsOld ? stored : empty;
  const loader = useRef(load);
  loader.current = load;
  const newestKey = useRef(key);
  newestKey.current = key;
  // At most one request is in flight. A new key gets a new record, so late answers to the old key are dropped.
  const flights = useRef<{ now: Flight | null }>({ now: null });

  const reload = useCallback(
    (background = false): Promise<void> => {
      if (newestKey.current !== key) return Promise.resolve();
      const own = flights.current;
      const isCurrent = () => own === flights.current;
      const change = (next: Partial<State<T>>) => {
        if (isCurrent())
          setState((before) => ({ ...(before.key === key || keepsOld ? before : empty), ...next, key }));
      };
      async function fly(): Promise<void> {
        try {
          const value = await loader.current({ background });
          change({ value, failure: null, isLoading: false });
        } catch (failure) {
          if (failure instanceof ApiFailure) change({ failure, isLoading: false });
          else if (isCurrent()) crash(failure);
        }
        own.now = null;
      }
      function start(): Promise<void> {
        const flight: Flight = { done: Promise.resolve(), next: null };
        own.now = flight;
        flight.done = fly();
        return flight.done;
      }
      if (!background) change({ isLoading: true });
      if (!own.now) return start();
      // A poll takes the answer that is on its way. That one may be older than a change: a reload asks once more.
      if (background) return own.now.done;
      own.now.next ??= own.now.done.then(() => (isCurrent() ? start() : undefined));
      return own.now.next;
    },
    [key],
  );

  useEffect(() => {
    if (key !== null) void reload();
    return () => {
      flights.current = { now: null };
    };
  }, [key, reload]);

  const everyMs = typeof every === "function" ? every(state.value) : every;
  useEffect(() => {
    if (key === null || everyMs === 0) return;
    const timer = setInterval(() => isWatched() && void reload(true), everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs, reload]);

  const { value, failure, isLoading } = state;
  return { value, failure, isLoading, reload };
}

const UNTOUCHED_MS = 5 * 60_000;
let touchedAt = performance.now();
const touch = () => {
  touchedAt = performance.now();
};
for (const event of ["pointerdown", "keydown", "wheel"]) addEventListener(event, touch, { passive: true });

const isWatched = (): boolean =>
  document.visibilityState === "visible" &&
  performance.now() - touchedAt < UNTOUCHED_MS &&
  sessionState.get().kind === "signedIn";

export type Action<A extends unknown[]> = {
  run(...given: A): Promise<void>;
  isBusy: boolean;
  failure: ApiFailure | null;
  clear(): void;
};

const IDLE = { isBusy: false, failure: null };

/** A change: a second click while the first is under way does nothing. */
export function useAction<A extends unknown[]>(change: (...given: A) => Promise<unknown>): Action<A> {
  const busy = useRef(false);
  const crash = useCrash();
  const [state, setState] = useState<Pick<Action<A>, "isBusy" | "failure">>(IDLE);
  return {
    ...state,
    clear: () => setState(IDLE),
    async run(...given) {
      if (busy.current) return;
      busy.current = true;
      setState({ isBusy: true, failure: null });
      try {
        await change(...given);
        setState(IDLE);
      } catch (failure) {
        if (failure instanceof ApiFailure) setState({ isBusy: false, failure });
        else crash(failure);
      } finally {
        busy.current = false;
      }
    },
  };
}

/** An error of our own is shown by the boundary of the page, like one of its drawing. */
function useCrash(): (cause: unknown) => void {
  const [crashed, setCrashed] = useState<{ cause: unknown } | null>(null);
  if (crashed) throw crashed.cause;
  return (cause) => setCrashed({ cause });
}
