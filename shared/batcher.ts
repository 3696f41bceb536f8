/** Groups items of one turn of the event loop into batches; while `maxInFlight` batches run, items queue. */
export type BatcherOptions<T, R> = {
  /** Answers each item in order, an Error being the failure of that item alone. A rejection fails all of them. */
  run(items: readonly T[]): Promise<readonly (R | Error)[]>;
  maxBatch: number;
  maxInFlight: number;
  /** Weight of an item; a batch holds at most `maxWeight`, or a single heavier item. */
  weightOf?(item: T): number;
  maxWeight?: number;
  /** Gathers what is added in this turn of the event loop, or only in this microtask: sooner, in smaller batches. */
  gatherIn?: "turn" | "microtask";
  /** After a batch the next one gathers for this long; a batch that is full at that moment starts immediately. */
  gatherMs?: number;
  /** Whether one item may have failed the others: then each is run alone. */
  isOneItemsFault?(error: unknown): boolean;
  /** A batch without an answer by then is probably lost; it frees its slot, up to `most` of them. */
  stall?: { afterMs: number; most: number };
  /** Items that cannot start soon enough are refused; without it they wait. */
  queue?: { maxWaiting: number; maxWaitMs: number; refusal(): Error };
};

type Waiting<T, R> = { item: T; refuseAt: number; resolve(answer: R): void; reject(error: unknown): void };

export function createBatcher<T, R>(options: BatcherOptions<T, R>) {
  const { run, maxBatch, maxInFlight, gatherMs = 0, stall, queue, isOneItemsFault = () => false } = options;
  const schedule = options.gatherIn === "microtask" ? queueMicrotask : setImmediate;
  const { weightOf = () => 0, maxWeight = Number.POSITIVE_INFINITY } = options;
  const waiting: Waiting<T, R>[] = [];
  const inFlight = new Set<Promise<void>>();
  const stalled = new Set<Promise<void>>();
  let isGathering = false;
  let refusalTimer: NodeJS.Timeout | undefined;

  function gather(): void {
    if (isGathering || waiting.length === 0) return;
    if (inFlight.size >= maxInFlight) scheduleRefusal();
    else {
      isGathering = true;
      schedule(start);
    }
  }

  /** Waiting items gathered during the last batch, so the next starts immediately, or after `gatherMs`. */
  function next(): void {
    if (isGathering || waiting.length === 0 || inFlight.size >= maxInFlight) return;
    if (gatherMs === 0 || waiting.length >= maxBatch) start();
    else {
      isGathering = true;
      setTimeout(start, gatherMs);
    }
  }

  function start(): void {
    isGathering = false;
    // All of them can have been refused meanwhile.
    if (waiting.length === 0) return;
    const batch = waiting.splice(0, batchSize());
    const work = runBatch(batch).finally(() => {
      clearTimeout(stallTimer);
      inFlight.delete(work);
      stalled.delete(work);
      next();
    });
    const stallTimer = stall && setTimeout(leavePlace, stall.afterMs, work).unref();
    inFlight.add(work);
    gather();
  }

  function leavePlace(work: Promise<void>): void {
    if (stalled.size === stall?.most) return;
    inFlight.delete(work);
    stalled.add(work);
    next();
  }

  function batchSize(): number {
    let weight = 0;
    const end = waiting.findIndex(({ item }, index) => {
      weight += weightOf(item);
      return index === maxBatch || (index > 0 && weight > maxWeight);
    });
    return end === -1 ? waiting.length : end;
  }

  async function runBatch(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error("A batch was answered only in part.");
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index] as R | Error;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      if (batch.length > 1 && isOneItemsFault(error))
        await Promise.all(batch.map((each) => runBatch([each])));
      else for (const { reject } of batch) reject(error);
    }
  }

  /** A single timer: items wait in the order of their deadlines. */
  function scheduleRefusal(): void {
    const [longest] = waiting;
    if (!queue || refusalTimer || !longest) return;
    refusalTimer = setTimeout(refuseLate, longest.refuseAt - performance.now());
    refusalTimer.unref();
  }

  function refuseLate(): void {
    refusalTimer = undefined;
    const now = performance.now();
    const inTime = waiting.findIndex(({ refuseAt }) => refuseAt > now);
    const late = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { reject } of late) reject(queue?.refusal());
    scheduleRefusal();
  }

  return {
    /** Resolves or rejects with this item's own answer. */
    add: (item: T): Promise<R> =>
      new Promise((resolve, reject) => {
        if (queue && waiting.length >= queue.maxWaiting) return reject(queue.refusal());
        const refuseAt = performance.now() + (queue?.maxWaitMs ?? Number.POSITIVE_INFINITY);
        waiting.push({ item, refuseAt, resolve, reject });
        gather();
      }),
    /** Resolves when no item waits or is in flight. */
    async drain(): Promise<void> {
      while (waiting.length > 0 || inFlight.size + stalled.size > 0) {
        if (inFlight.size + stalled.size > 0) await Promise.race([...inFlight, ...stalled]);
        else await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
