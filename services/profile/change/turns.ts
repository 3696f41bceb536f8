/** One at a time per key in this process; the database still decides between processes. */
export type TurnTaker = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): TurnTaker {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return turn;
  };
}
