/** Reads and writes business profiles. Hot paths use the driver's collection without mongoose in between. */

import mongoose, { type Connection, type mongo } from "mongoose";
import type { AuditEntry } from "../../../shared/action-types/customer.ts";
import { createBatcher } from "../../../shared/batcher.ts";
import type { OutboxEntry } from "../../../shared/events/events.ts";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import type { PageRequest, ProfileFilter } from "./list-filter.rules.ts";
import { profileModel } from "./profile.model.ts";
import type { Person, Profile, StoredProfile } from "./profile.types.ts";
import { filterQuery } from "./profile-queries.rules.ts";

export type ProfileRepository = ReturnType<typeof profileRepository>;

/** One write in flight and one being prepared keep mongod busy without splitting batches. */
const INSERT_BATCHES = { maxInFlight: 2, maxBatch: 100, gatherIn: "microtask" } as const;
/** Reads that arrive together are one query; one that hangs leaves its place to the others. */
const READ_BATCHES = {
  maxInFlight: 4,
  maxBatch: 50,
  gatherIn: "microtask",
  stall: { afterMs: 1_000, most: 20 },
} as const;
const QUERY_MS = 5_000;

/** The arrays that only grow are never read to answer a partner. */
export const WITHOUT_TRAILS = { audit: 0, outbox: 0, notes: 0 } as const;
export const LIST_ITEM = {
  ...WITHOUT_TRAILS,
  sealedKey: 0,
  people: 0,
  documents: 0,
  financials: 0,
  changeRequests: 0,
  history: 0,
  decision: 0,
  keptAnswers: 0,
} as const;

/** What is sealed in a customer; nothing of one that was erased. */
export type SealedParts = Pick<Profile, "_id" | "version" | "sealedKey"> & {
  people?: Pick<Person, "uboId" | "sealedNumbers">[];
};
const SEALED_PARTS = { version: 1, sealedKey: 1, "people.uboId": 1, "people.sealedNumbers": 1 } as const;
/** The numbers of people by their place in the list. */
export type SealedAnew = { before: SealedParts; sealedKey: string; numbers: ReadonlyMap<number, string> };

export const ARCHIVED_AUDIT = "archived_audit_entries";
export type ArchivedEntry = AuditEntry & { _id: string; customerId: string };

type Trails = { audit: AuditEntry; outbox: readonly OutboxEntry[] };

export class DuplicateReference extends Error {
  override name = "DuplicateReference";
}
export class DuplicateKey extends Error {
  override name = "DuplicateKey";
}
export class DuplicateCustomer extends Error {
  override name = "DuplicateCustomer";
}

export function profileRepository(connection: Connection) {
  const model = profileModel(connection);
  const collection = collectionOf(model);
  const archive = connection.collection<ArchivedEntry>(ARCHIVED_AUDIT);
  const inserts = createBatcher<StoredProfile, void>({
    async run(profiles) {
      const duplicates = await insertNew(collection, profiles);
      return profiles.map((_, index) => {
        const message = duplicates.get(index);
        return message === undefined ? undefined : duplicateError(message);
      });
    },
    ...INSERT_BATCHES,
  });
  const reads = createBatcher<string, Profile | null>({
    async run(ids) {
      const query = collection.find(
        { _id: { $in: [...ids] } },
        { projection: WITHOUT_TRAILS, maxTimeMS: QUERY_MS },
      );
      const found = new Map((await query.toArray()).map((profile) => [profile._id, profile]));
      return ids.map((id) => found.get(id) ?? null);
    },
    ...READ_BATCHES,
  });

  return {
    collection,

    /** False while the driver knows no server that takes writes. */
    isReachable: (): boolean => connection.readyState === mongoose.ConnectionStates.connected,

    /** Rejects with DuplicateReference, DuplicateKey or DuplicateCustomer when there is such a profile already. */
    insert: inserts.add,

    /** Null when there is none, or when it was erased. */
    async findById(customerId: string): Promise<Profile | null> {
      const found = await reads.add(customerId);
      return found && "erased" in found ? null : found;
    },

    findByReference: (partnerId: string, partnerCustomerId: string): Promise<Profile | null> =>
      collection.findOne(
        { partnerId, partnerCustomerId },
        { projection: WITHOUT_TRAILS, maxTimeMS: QUERY_MS },
      ),

    /** The customer that keeps the answer to an Idempotency-Key. */
    findByKey: (partnerId: string, key: string): Promise<Profile | null> =>
      collection.findOne(
        { partnerId, "keptAnswers.key": key },
        { projection: WITHOUT_TRAILS, maxTimeMS: QUERY_MS },
      ),

    async forgetKey(customerId: string, key: string): Promise<void> {
      await collection.updateOne({ _id: customerId }, { $pull: { keptAnswers: { key } } });
    },

    /** Reads locally: the duplicate that refused an insert may not be on a majority yet. */
    async idOfReference(partnerId: string, partnerCustomerId: string): Promise<string | null> {
      const found = await collection.findOne(
        { partnerId, partnerCustomerId },
        { projection: { _id: 1 }, readConcern: { level: "local" }, maxTimeMS: QUERY_MS },
      );
      return found?._id ?? null;
    },

    async list(
      partnerId: string,
      filter: ProfileFilter,
      page: PageRequest,
      nowIso: string,
    ): Promise<Profile[]> {
      const after = page.kind === "cursor" ? page.after : null;
      const query = filterQuery(partnerId, filter, after, nowIso);
      const cursor = collection
        .find(query, { projection: LIST_ITEM, maxTimeMS: QUERY_MS })
        .sort({ _id: -1 })
        // One more than asked for tells whether there is a next page.
        .limit(page.pageSize + 1);
      if (page.kind === "page") cursor.skip((page.page - 1) * page.pageSize);
      return cursor.toArray();
    },

    count: (partnerId: string, filter: ProfileFilter, nowIso: string): Promise<number> =>
      collection.countDocuments(filterQuery(partnerId, filter, null, nowIso), { maxTimeMS: QUERY_MS }),

    /** Stores what differs, and the trails, if nobody else changed the profile meanwhile. */
    async compareAndSet(
      before: Profile,
      after: Profile,
      { audit, outbox }: Trails,
      session?: mongo.ClientSession,
    ): Promise<boolean> {
      const change = {
        $set: difference(before, after),
        $push: { audit, outbox: { $each: [...outbox] } },
      } as mongo.UpdateFilter<StoredProfile>;
      const { matchedCount } = await collection.updateOne(
        unchanged(before),
        change,
        session ? { session } : {},
      );
      return matchedCount === 1;
    },

    pageAfter: (customerId: string, limit: number): Promise<SealedParts[]> =>
      collection
        .find<SealedParts>({ _id: { $gt: customerId } }, { projection: SEALED_PARTS, maxTimeMS: QUERY_MS })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Not a change of the customer, so its version stays. Leaves out those that somebody changed since they were read. */
    async replaceSealed(moves: readonly SealedAnew[]): Promise<void> {
      const writes = moves.map(({ before, sealedKey, numbers }) => {
        const ofPeople = [...numbers].map(([index, sealed]) => [`people.${index}.sealedNumbers`, sealed]);
        const $set = { sealedKey, ...Object.fromEntries(ofPeople) };
        return { updateOne: { filter: unchanged(before), update: { $set } } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },

    /** Queued customers of test partners whose names decide by themselves, and whose time has come. */
    selfDeciding: (nameKeys: readonly string[], until: string, limit: number): Promise<Profile[]> =>
      collection
        .find(
          {
            isTest: true,
            companyNameKey: { $in: [...nameKeys] },
            submittedAt: { $lte: until },
            reviewStage: "Queued",
          },
          { projection: LIST_ITEM, maxTimeMS: QUERY_MS },
        )
        .limit(limit)
        .toArray(),

    /** Moves entries up to a version to a collection of their own. Doing it twice changes nothing. */
    async archiveAudit(customerId: string, upToVersion: number): Promise<void> {
      const found = await collection.findOne(
        { _id: customerId },
        { projection: { audit: 1 }, maxTimeMS: QUERY_MS },
      );
      const old = (found?.audit ?? []).filter(({ version }) => version <= upToVersion);
      if (old.length === 0) return;
      const entries = old.map((entry) => ({
        _id: `${customerId}:${String(entry.version).padStart(9, "0")}`,
        customerId,
        ...entry,
      }));
      await insertNew(archive, entries);
      await collection.updateOne({ _id: customerId }, {
        $pull: { audit: { version: { $lte: upToVersion } } },
      } as never);
    },
  };
}

/** A customer as it was read: neither changed nor sealed anew since. */
export const unchanged = ({
  _id,
  version,
  sealedKey,
}: Pick<Profile, "_id" | "version" | "sealedKey">): mongo.Filter<StoredProfile> => ({
  _id,
  version,
  sealedKey: sealedKey ?? { $exists: false },
});

/** Rules make new objects for what they change, so an identical object means no change. */
function difference(before: Profile, after: Profile): Partial<Profile> {
  const names = Object.keys(after) as (keyof Profile)[];
  return Object.fromEntries(
    names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
}

/** The server's message names the index that refused. */
function duplicateError(message: string): Error {
  if (message.includes("index: reference")) return new DuplicateReference();
  return message.includes("index: answered_key") ? new DuplicateKey() : new DuplicateCustomer();
}
