/** Reads for a page: old data stays visible while new data loads, and live pages rest when nobody looks. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure, sessionState } from "./http.ts";

export type Read<T> = {
  value: T | null;
  failure: ApiFailure | null;
  isLoading: boolean;
  reload(): Promise<void>;
};

type Load<T> = (background: boolean) => Promise<T>;

/** `key` names what is read: another key is another read. Null: not yet. */
export function useRead<T>(key: string | null, load: Load<T>, everyMs = 0): Read<T> {
  const [state, setState] = useState<{ value: T | null; failure: ApiFailure | null; isLoading: boolean }>({
    value: null,
    failure: null,
    isLoading: key !== null,
  });
  const newest = useRef(0);
  const loader = useRef(load);
  loader.current = load;

  const reload = useCallback(async (background = false): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    if (!background) setState((before) => ({ ...before, isLoading: true }));
    try {
      const value = await loader.current(background);
      if (own === newest.current) setState({ value, failure: null, isLoading: false });
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      if (own === newest.current) setState((before) => ({ ...before, failure, isLoading: false }));
    }
  }, []);

  useEffect(() => {
    if (key !== null) void reload();
    return () => {
      newest.current += 1;
    };
  }, [key, reload]);

  useEffect(() => {
    if (key === null || everyMs === 0) return;
    const timer = setInterval(() => isWatched() && void reload(true), everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs, reload]);

  return { ...state, reload };
}

const UNTOUCHED_MS = 5 * 60_000;
let touchedAt = performance.now();
for (const event of ["pointerdown", "keydown", "wheel"])
  addEventListener(
    event,
    () => {
      touchedAt = performance.now();
    },
    { passive: true },
  );

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

/** A change: a second click while the first is under way does nothing. */
export function useAction<A extends unknown[]>(change: (...given: A) => Promise<unknown>): Action<A> {
  const busy = useRef(false);
  const [state, setState] = useState<{ isBusy: boolean; failure: ApiFailure | null }>({
    isBusy: false,
    failure: null,
  });
  return {
    ...state,
    clear: () => setState({ isBusy: false, failure: null }),
    async run(...given) {
      if (busy.current) return;
      busy.current = true;
      setState({ isBusy: true, failure: null });
      try {
        await change(...given);
        setState({ isBusy: false, failure: null });
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure;
        setState({ isBusy: false, failure });
      } finally {
        busy.current = false;
      }
    },
  };
}
