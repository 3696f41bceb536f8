/** Does a piece of work again and again, one at a time, with a pause after each end. Errors are the work's own affair. */
export type Repeat = { start(): void; stop(): Promise<void> };

export function createRepeat(everyMs: number, work: (isStopped: () => boolean) => Promise<void>): Repeat {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  function plan(afterMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work(() => stopped).then(() => plan(everyMs));
    }, afterMs);
  }

  return {
    start: () => plan(0),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
