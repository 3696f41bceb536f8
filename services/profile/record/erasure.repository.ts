/** Turns customers into tombstones, and finds those that are due or not finished. */
import type { Connection, mongo } from "mongoose";
import type { VerificationStatus } from "../../../shared/action-types/customer.ts";
import type { OutboxEntry } from "../../../shared/events/events.ts";
import { BY_ID, collectionOf } from "../../../shared/mongo/mongo.ts";
import {
  ERASED_FIELDS,
  ERASED_PARTNER,
  type ErasedCustomer,
  type Tombstone,
} from "./erased-customer.rules.ts";
import { profileModel } from "./profile.model.ts";
import { ARCHIVED_AUDIT, type ArchivedEntry, unchanged, WITHOUT_TRAILS } from "./profile.repository.ts";
import type { Profile, StoredProfile } from "./profile.types.ts";
import { type ClosedPosition, closedQuery } from "./profile-queries.rules.ts";

export type ErasureRepository = ReturnType<typeof erasureRepository>;

const QUERY_MS = 5_000;

export function erasureRepository(connection: Connection) {
  const collection = collectionOf(profileModel(connection));
  const archive = connection.collection<ArchivedEntry>(ARCHIVED_AUDIT);

  return {
    /** One write takes everything. False when somebody changed the customer since it was read. */
    async erase(
      profile: Profile,
      { _id, ...tombstone }: Tombstone,
      outbox: readonly OutboxEntry[],
    ): Promise<boolean> {
      const change = {
        $set: { ...tombstone, "audit.$[].detail": {} },
        $unset: ERASED_FIELDS,
        $inc: { version: 1, sequence: outbox.length },
        $push: { outbox: { $each: [...outbox] } },
      } as unknown as mongo.UpdateFilter<StoredProfile>;
      const { matchedCount } = await collection.updateOne(unchanged(profile), change, BY_ID);
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

    /** Notes of analysts are free text. */
    async emptyArchivedAudit(customerId: string): Promise<void> {
      // Ids are <customer id>:<version>, and ";" comes after ":".
      await archive.updateMany(
        { _id: { $gte: `${customerId}:`, $lt: `${customerId};` } },
        { $set: { detail: {} } },
      );
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

    /** Decided customers that have not changed since, longest first. */
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
  };
}

const tombstoneFilter = (customerId: string): mongo.Filter<StoredProfile> => ({
  _id: customerId,
  partnerId: ERASED_PARTNER,
});
