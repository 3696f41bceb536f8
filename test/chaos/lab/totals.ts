/** Totals of the history, read through the API during a round and after it: each lies between two counts of the database. */
import { setTimeout as sleep } from "node:timers/promises";
import { grouped } from "./grouped.rules.ts";
import type { Observer } from "./observe.ts";
import { type Partners, WEBHOOKS } from "./partners.ts";

const EVERY_MS = 1_000;
/** Each gateway several times. */
const READS_AT_REST = 6;

/** Wrong totals, in words. Read all the time: a total that is wrong for a moment is wrong. */
export function watchTotals(gateway: () => string, { all }: Partners, observer: Observer) {
  const wrong: string[] = [];
  let stopped = false;

  /** Only deliveries on a majority are promised to be counted; the later count has them all. */
  async function read({ partnerId, click }: Partners["all"][number], isAtRest: boolean): Promise<void> {
    const least = await observer.countDeliveries(partnerId, "majority");
    const { status, value } = await click(gateway(), "GET", `${WEBHOOKS}/deliveries?pageSize=1`);
    const most = await observer.countDeliveries(partnerId, "local");
    if (status !== 200) {
      if (isAtRest) wrong.push(`${partnerId}: ${status ?? "no answer"} at rest`);
    } else if (value.total < least || value.total > most)
      wrong.push(`${partnerId}: ${value.total}, there are ${least} to ${most}`);
  }
  const watching = (async () => {
    while (!stopped) {
      // The database itself may be away.
      for (const partner of all) await read(partner, false).catch(() => undefined);
      await sleep(EVERY_MS);
    }
  })();
  return {
    async stop(): Promise<string[]> {
      stopped = true;
      await watching;
      for (let i = 0; i < READS_AT_REST; i += 1) for (const partner of all) await read(partner, true);
      return grouped("a wrong total of the history", wrong);
    },
  };
}
