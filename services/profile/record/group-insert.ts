/**
 * Inserts that arrive together share one write and keep their separate answers. Nothing waits for company: an
 * insert that finds a free slot goes at the end of its turn, and those that come while all slots are busy are gathered.
 */
export type InsertGroup<T> = (documents: T[]) => Promise<ReadonlyMap<number, Error>>;

type Waiting<T> = { document: T; done(): void; failed(error: Error): void };

export type GroupOptions = { slots: number; largestGroup: number };

/** insertGroup answers the errors of single documents by their place; a rejection is an error of all. */
export function createGroupInserter<T>(
  insertGroup: InsertGroup<T>,
  { slots, largestGroup }: GroupOptions,
): (document: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let busy = 0;

  function flush(): void {
    while (busy < slots && waiting.length > 0) {
      const group = waiting.slice(0, largestGroup);
      waiting = waiting.slice(largestGroup);
      busy += 1;
      void write(group).finally(() => {
        busy -= 1;
        flush();
      });
    }
  }

  async function write(group: Waiting<T>[]): Promise<void> {
    try {
      const errors = await insertGroup(group.map(({ document }) => document));
      for (const [index, { done, failed }] of group.entries()) {
        const error = errors.get(index);
        if (error) failed(error);
        else done();
      }
    } catch (error) {
      for (const { failed } of group) failed(error as Error);
    }
  }

  return (document) =>
    new Promise((done, failed) => {
      // After what is at hand, so that inserts of one call go in one write.
      if (waiting.push({ document, done, failed }) === 1) queueMicrotask(flush);
    });
}
