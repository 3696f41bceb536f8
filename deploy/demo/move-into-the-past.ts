/** Spreads new records over the last two weeks: the only part of the demo data that no action can create. */
import type { Connection } from "mongoose";
import { COLLECTIONS as DELIVERY } from "../../services/delivery/collections.ts";
import type { Excerpts } from "../../services/delivery/excerpt/excerpts.ts";
import type { DeliveryRecord } from "../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../services/delivery/records/event.model.ts";
import { failureWord } from "../../services/delivery/records/last-failure.rules.ts";
import { COLLECTIONS as PROFILE } from "../../services/profile/collections.ts";
import type { StoredProfile } from "../../services/profile/record/profile.types.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";
import { intoThePast, type MoveTime, moved, troubleOf } from "./past.rules.ts";

type Deps = {
  profiles: Connection;
  deliveries: Connection;
  partnerId: string;
  excerpts: Pick<Excerpts, "seal">;
  retryWaitsMs: readonly number[];
  nowMs: number;
};

export async function moveIntoThePast(deps: Deps): Promise<void> {
  const moves = await moveCustomers(deps);
  await moveEvents(deps, moves);
  await moveDeliveries(deps, moves);
}

/** A claim expires, so it stays in the present. */
const NOW_ON = ["claim"];

async function moveCustomers({ profiles, partnerId, nowMs }: Deps): Promise<Map<string, MoveTime>> {
  const collection = collectionOf(profiles, PROFILE.profiles);
  const found = await collection.find<StoredProfile>({ partnerId }).sort({ _id: 1 }).toArray();
  const moves = new Map<string, MoveTime>();
  const writes = found.map((record, place) => {
    const span = { fromMs: Date.parse(record.createdAt), toMs: Date.parse(record.updatedAt) };
    const move = intoThePast(span, place, found.length, nowMs);
    moves.set(record._id, move);
    return { replaceOne: { filter: { _id: record._id }, replacement: moved(record, move, NOW_ON) } };
  });
  if (writes.length > 0) await collection.bulkWrite(writes);
  return moves;
}

async function moveEvents(
  { deliveries, partnerId }: Deps,
  moves: ReadonlyMap<string, MoveTime>,
): Promise<void> {
  const collection = collectionOf(deliveries, DELIVERY.events);
  const found = await collection.find<EventRecord>({ partnerId }).toArray();
  const writes = found.flatMap((record) => {
    const move = moves.get(record.customerId ?? "");
    if (!move) return [];
    const envelope = record.envelopeJson && JSON.stringify(moved(JSON.parse(record.envelopeJson), move));
    const replacement = { ...moved(record, move), envelopeJson: envelope };
    return [{ replaceOne: { filter: { _id: record._id }, replacement } }];
  });
  if (writes.length > 0) await collection.bulkWrite(writes);
}

/** Removes the tallies, which are counted again. In one transaction, because delivery counts meanwhile. */
async function moveDeliveries(deps: Deps, moves: ReadonlyMap<string, MoveTime>): Promise<void> {
  const { deliveries, partnerId } = deps;
  const collection = collectionOf(deliveries, DELIVERY.deliveries);
  await deliveries.transaction(async (session) => {
    const found = await collection
      .find<DeliveryRecord>({ partnerId, status: "Delivered" }, { session })
      .sort({ occurredAt: 1, _id: 1 })
      .toArray();
    const writes = await Promise.all(
      found.map(async (record, place) => {
        const move = moves.get(record.customerId ?? "");
        const replacement = {
          ...(move ? await withTrouble(moved(record, move), place, deps) : record),
          counted: false,
        };
        return { replaceOne: { filter: { _id: record._id }, replacement } };
      }),
    );
    if (writes.length > 0) await collection.bulkWrite(writes, { session });
    await collectionOf(deliveries, DELIVERY.tallies).deleteMany({ partnerId }, { session });
  });
}

async function withTrouble(
  record: DeliveryRecord,
  place: number,
  { excerpts, retryWaitsMs, nowMs }: Deps,
): Promise<DeliveryRecord> {
  const { _id: deliveryId, occurredAt } = record;
  const trouble = troubleOf(place, occurredAt, retryWaitsMs, nowMs);
  const last = trouble?.at(-1);
  if (!trouble || !last) return record;
  const attempts = await Promise.all(
    trouble.map(async ({ responseExcerpt, ...attempt }) => {
      const { attemptNo } = attempt;
      const sealedExcerpt = await excerpts.seal({ deliveryId, attemptNo, occurredAt }, responseExcerpt);
      return { ...attempt, sealedExcerpt };
    }),
  );
  return {
    ...record,
    attempts,
    attemptCount: attempts.length,
    lastStatusCode: last.statusCode,
    lastFailure: last.errorKind && failureWord(last.errorKind, last.statusCode),
    status: last.errorKind ? "Exhausted" : "Delivered",
    completedAt: last.sentAt,
  };
}
