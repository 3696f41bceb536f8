/** Erasure of customers, and of parts that outlive their purpose in customers that stay. */
import type { Connection, mongo } from "mongoose";
import { createBatcher } from "../../../shared/batcher.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import type { VerificationStatus } from "../../../shared/contract/vocabularies.ts";
import { isExpired } from "../../../shared/idempotency.rules.ts";
import { BY_ID, collectionOf, type Place } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import {
  ERASED_PARTNER,
  type ErasedCustomer,
  erasedFields,
  nameOfKey,
  type Tombstone,
} from "./erased-customer.rules.ts";
import { placeOf, unchanged, WITHOUT_TRAILS } from "./profile.repository.ts";
import type { FormerPerson, Profile, StoredProfile } from "./profile.types.ts";
import { type ClosedPosition, closedQuery } from "./profile-queries.rules.ts";

export type ErasureRepository = ReturnType<typeof erasureRepository>;

const QUERY_MS = 5_000;

export function erasureRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.profiles);

  /** Creates that arrive together ask for their keys together. */
  const spentKeys = createBatcher<string, string | null>({
    async run(names) {
      const found = await collection
        .find<Tombstone>(
          {
            partnerId: ERASED_PARTNER,
            "erased.keys.name": { $in: [...names] },
          } as mongo.Filter<StoredProfile>,
          { projection: { "erased.keys": 1 }, maxTimeMS: QUERY_MS, hint: "spent_keys" },
        )
        .toArray();
      const newest = new Map<string, string>();
      for (const { name, at } of found.flatMap(({ erased }) => erased.keys ?? []))
        if (at > (newest.get(name) ?? "")) newest.set(name, at);
      return names.map((name) => newest.get(name) ?? null);
    },
    maxInFlight: 2,
    maxBatch: 100,
    gatherIn: "microtask",
  });

  const findLeftovers = <T extends Place>(filter: object, hint: string, projection: object, limit: number) =>
    collection
      .find<T>(filter as mongo.Filter<StoredProfile>, {
        projection: { partnerId: 1, ...projection },
        maxTimeMS: QUERY_MS,
      })
      .hint(hint)
      .limit(limit)
      .toArray();

  return {
    /** Whether an Idempotency-Key of the last day belongs to a customer that was erased since. */
    async isKeySpent(partnerId: string, key: string, nowMs: number): Promise<boolean> {
      const at = await spentKeys.add(nameOfKey(partnerId, key));
      return at !== null && !isExpired(at, nowMs);
    },

    /** Erases in one write. False when the customer changed since it was read. */
    async erase(
      profile: Profile,
      { _id, ...tombstone }: Tombstone,
      outbox: readonly OutboxEntry[],
    ): Promise<boolean> {
      const change = {
        $set: { ...tombstone, "audit.$[].detail": {} },
        $unset: erasedFields(profile),
        $inc: { version: 1, sequence: outbox.length },
        $push: { outbox: { $each: [...outbox] } },
      } as unknown as mongo.UpdateFilter<StoredProfile>;
      const asRead = { ...unchanged(profile), ...lastKeyOf(profile) };
      const { matchedCount } = await collection.updateOne(asRead, change, BY_ID);
      return matchedCount === 1;
    },

    async find(customerId: string): Promise<ErasedCustomer | null> {
      const found = await collection.findOne<Tombstone>(tombstoneFilter(customerId), {
        projection: { erased: 1 },
        maxTimeMS: QUERY_MS,
        ...BY_ID,
      });
      return found?.erased ?? null;
    },

    async finish(customerId: string): Promise<void> {
      const done = { $unset: { "erased.isUnfinished": "" } } as never;
      await collection.updateOne(tombstoneFilter(customerId), done, BY_ID);
    },

    unfinishedAfter: (customerId: string, limit: number): Promise<Tombstone[]> =>
      collection
        .find<Tombstone>(
          { "erased.isUnfinished": true, _id: { $gt: customerId } } as mongo.Filter<StoredProfile>,
          { projection: { erased: 1 }, maxTimeMS: QUERY_MS },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Decided customers that have not changed since, the oldest change first. */
    closedBefore: (
      verificationStatus: VerificationStatus,
      unchangedSince: string,
      after: ClosedPosition | null,
      limit: number,
    ): Promise<Profile[]> =>
      collection
        .find(closedQuery(verificationStatus, unchangedSince, after), {
          projection: WITHOUT_TRAILS,
          maxTimeMS: QUERY_MS,
        })
        .sort({ updatedAt: 1, _id: 1 })
        .limit(limit)
        .toArray(),

    /** Drops stored responses of this time and before; returns how many customers had one. */
    async forgetAnswers(since: string, limit: number): Promise<number> {
      const filter = { "keptAnswers.key": { $exists: true }, "keptAnswers.at": { $lte: since } };
      const found = await findLeftovers<Place>(filter, "answered_key", {}, limit);
      const update = { $pull: { keptAnswers: { at: { $lte: since } } } } as never;
      if (found.length > 0)
        await collection.bulkWrite(
          found.map((customer) => ({ updateOne: { filter: placeOf(customer), update, ...BY_ID } })),
          { ordered: false },
        );
      return found.length;
    },

    /** Customers with people whom a replacement removed by then. */
    withRemovedPeople: (since: string, limit: number): Promise<Profile[]> =>
      findLeftovers<Profile>(
        { "people.removedAt": { $gt: "", $lte: since } },
        "removed_people",
        { version: 1, people: 1 },
        limit,
      ),

    /** A new version, because indexes in the list of people change. A customer that changed since it was read is skipped. */
    async emptyPeople(profile: Profile, since: string, former: readonly FormerPerson[]): Promise<void> {
      const change = {
        $pull: { people: { removedAt: { $gt: "", $lte: since } } },
        $push: { formerPeople: { $each: [...former] } },
        $inc: { version: 1 },
      } as unknown as mongo.UpdateFilter<StoredProfile>;
      await collection.updateOne(unchanged(profile), change, BY_ID);
    },
  };
}

/** A key is added at the end and without a new version. The tombstone must have it. */
function lastKeyOf({ keptAnswers = [] }: Profile): mongo.Filter<StoredProfile> {
  const next = { [`keptAnswers.${keptAnswers.length}`]: { $exists: false } };
  const last = keptAnswers.at(-1);
  return last ? { ...next, [`keptAnswers.${keptAnswers.length - 1}.key`]: last.key } : next;
}

const tombstoneFilter = (customerId: string): mongo.Filter<StoredProfile> => ({
  _id: customerId,
  partnerId: ERASED_PARTNER,
});
