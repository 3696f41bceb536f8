/** A page of the history must cost the same however long the history is. */
import { randomUUID } from "node:crypto";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec, Window } from "../frame/spec.ts";
import { type DeliveryPath, openDeliveryPath } from "./delivery-path.ts";
import { addHistories, DAY_MS, named, readPage, SHORT } from "./many-deliveries.ts";

const DELIVERIES = 1_000_000;

export const bench: BenchSpec = {
  name: "a page of the delivery history, with its total",
  issue: 6,
  concurrency: 1,
  async setup(env) {
    const path = await openDeliveryPath(env);
    const [few, many] = [randomUUID(), randomUUID()];
    await addHistories(path, { few, many }, DELIVERIES);
    return {
      workload: { name: named(DELIVERIES), run: (window) => readPages(path, many, window) },
      floors: [
        {
          ...SHORT,
          goals: [{ measure: "p50", atMost: 1.2 }],
          run: (window) => readPages(path, few, window),
        },
      ],
    };
  },
};

/** The pages that a person opens: everything with its total and by cursor, a status, a type, the last day. */
function readPages(path: DeliveryPath, partnerId: string, window: Window) {
  const queries: Record<string, string>[] = [
    {},
    { cursor: "" },
    { status: "Exhausted" },
    { eventType: "business.person.added", page: "2" },
    { from: new Date(Date.now() - DAY_MS).toISOString(), status: "Delivered" },
  ];
  let turn = 0;
  return runInFlight(window, async () => {
    turn += 1;
    await readPage(path, partnerId, queries[turn % queries.length] ?? {});
  });
}
