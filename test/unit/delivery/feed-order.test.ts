import { expect, test } from "@jest/globals";
import { createFeedOrder } from "../../../services/delivery/intake/feed-order.ts";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";

const event = (customerId: string | null, sequence: number | null) =>
  ({ _id: `${customerId}${sequence}`, customerId, sequence }) as EventRecord;

function anOrder({ areShards = false } = {}) {
  const removed: string[] = [];
  let inserted = "";
  let known: readonly string[] = [];
  const record = createFeedOrder({
    events: {
      async record(events, waiting = new Set()) {
        const ids = events.map(({ _id }) => _id);
        inserted = ids.map((id) => (waiting.has(id) ? `(${id})` : id)).join(" ");
        return new Map(known.map((id) => [ids.indexOf(id), ""]));
      },
      removePositions: async (events) => void removed.push(...events.map(({ _id }) => _id)),
    },
    areShards: async () => areShards,
  });
  return {
    removed,
    /** Answers the events of the insert, those without a position in brackets. */
    async insert(events: readonly EventRecord[], recordedBefore: readonly string[] = []) {
      known = recordedBefore;
      await record(events);
      return inserted;
    },
  };
}

test("an insert is in sequence, and an event whose predecessor is not in it waits", async () => {
  const { insert } = anOrder();
  expect(await insert([event("a", 2), event("b", 2), event("a", 1), event("a", 4)])).toBe("a1 a2 (b2) (a4)");
});

test("an event without a customer or sequence has its place at once", async () => {
  expect(await anOrder().insert([event(null, null), event("a", null)])).toBe("nullnull anull");
});

test("a predecessor that this process recorded counts, one without a place does not", async () => {
  const { insert } = anOrder();
  await insert([event("a", 1), event("b", 3)]);
  expect(await insert([event("a", 2), event("b", 4)])).toBe("a2 (b4)");
  expect(await insert([event("a", 3)])).toBe("a3");
});

test("a predecessor recorded before may have no place: its successor loses its own again", async () => {
  const { insert, removed } = anOrder();
  expect(await insert([event("a", 1), event("a", 2), event("a", 3), event("b", 1)], ["a2"])).toBe(
    "a1 b1 a2 a3",
  );
  expect(removed).toEqual(["a3"]);
  expect(await insert([event("a", 4)])).toBe("(a4)");
});

test("behind mongos only a predecessor of an earlier insert counts", async () => {
  const { insert } = anOrder({ areShards: true });
  expect(await insert([event("a", 1), event("a", 2)])).toBe("a1 (a2)");
  expect(await insert([event("a", 2)])).toBe("a2");
});
