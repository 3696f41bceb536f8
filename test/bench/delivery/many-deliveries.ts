/** Two partners in one collection: one with a short, one with a long history of deliveries. */
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { type Tally, talliesOf, tallyKey } from "../../../services/delivery/history/tally.rules.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { EVENT_TYPES } from "../../../shared/contract/events.ts";
import { orderedId } from "../../../shared/ids.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { FloorFacts } from "../frame/spec.ts";
import type { DeliveryPath } from "./delivery-path.ts";

const FEW = 1_000;
const PER_INSERT = 5_000;
/** As many as the service leaves. */
const UNCOUNTED = 500;
export const DAY_MS = 24 * 60 * 60 * 1_000;
type Countable = Pick<DeliveryRecord, "partnerId" | "status" | "eventType" | "occurredAt">;

export const named = (size: number) => `of ${size.toLocaleString("en-US")} deliveries`;
export const SHORT: Pick<FloorFacts, "name" | "fairBecause"> = {
  name: named(FEW),
  fairBecause:
    "the same service, collection and pages, read for another partner; only the length of its history differs",
};

export async function addHistories(
  path: DeliveryPath,
  partners: { few: string; many: string },
  many: number,
) {
  await path.delivery.stop();
  await addHistory(path, partners.few, FEW);
  await addHistory(path, partners.many, many);
  await path.delivery.start();
  await waitFor(() => readPage(path, partners.few, {}), "the delivery service to be known again");
}

export async function readPage(path: DeliveryPath, partnerId: string, query: Record<string, string>) {
  const { items } = await path.call<{ items: unknown[] }>("delivery.listDeliveries", partnerId, { query });
  if (!Array.isArray(items)) throw new Error("no page");
  return items;
}

/**
 * Over 80 days, and counted but for the newest. Those that were counted weeks ago are written as such: an index remembers for
 * minutes what moved within it, and here all would have moved in one.
 */
async function addHistory(path: DeliveryPath, partnerId: string, size: number): Promise<void> {
  const start = Date.now() - 80 * DAY_MS;
  const tallies = new Map<string, Tally>();
  for (let done = 0; done < size; done += PER_INSERT) {
    const length = Math.min(PER_INSERT, size - done);
    const records = Array.from({ length }, (_, i) => ({
      ...aFinished(partnerId, start + ((done + i) * 80 * DAY_MS) / size, i),
      counted: done + i < size - UNCOUNTED,
    }));
    await path.deliveries.insertMany(records as never, { ordered: false });
    for (const record of records) if (record.counted) addTo(tallies, record);
  }
  await collectionOf(path.mongo.connection, COLLECTIONS.tallies).insertMany([...tallies.values()]);
}

function addTo(tallies: Map<string, Tally>, { partnerId, status, eventType, occurredAt }: Countable): void {
  const key = tallyKey(status, eventType);
  for (const { kind, at } of talliesOf(occurredAt)) {
    const _id = `${partnerId}/${kind}/${at?.toISOString() ?? ""}`;
    const tally = tallies.get(_id) ?? { _id, partnerId, kind, at, counts: {} };
    tallies.set(_id, tally);
    tally.counts[key] = (tally.counts[key] ?? 0) + 1;
  }
}

function aFinished(partnerId: string, at: number, i: number) {
  const time = Math.floor(at);
  const event = {
    _id: orderedId(time),
    partnerId,
    eventType: EVENT_TYPES[i % EVENT_TYPES.length]?.name ?? "",
    eventVersion: 1,
    customerId: null,
    occurredAt: new Date(time),
  };
  const times = { createdAtMs: time, nextAttemptAtMs: time, claimableAtMs: time };
  const {
    queue: _queue,
    claimableAt: _claimableAt,
    ...planned
  } = firstDelivery(event, { endpointId: "e", partition: 0, ...times });
  const attempt = {
    attemptNo: 1,
    sentAt: new Date(time),
    statusCode: 200,
    sealedExcerpt: null,
    durationMs: 9,
    errorKind: null,
  };
  return {
    ...planned,
    status: i % 50 === 0 ? ("Exhausted" as const) : ("Delivered" as const),
    attemptCount: 1,
    attempts: [attempt],
    lastStatusCode: 200,
    nextAttemptAt: null,
    completedAt: new Date(time + 100),
  };
}
