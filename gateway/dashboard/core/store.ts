/** A value that components can watch. */
import { useEffect, useState } from "preact/hooks";

export type Store<T> = { get(): T; set(value: T): void; watch(listener: () => void): () => void };

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState(0);
  useEffect(() => store.watch(() => redraw((count) => count + 1)), [store]);
  return store.get();
}
