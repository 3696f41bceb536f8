/** Reads and writes business profiles. Hot paths use the driver's collection without mongoose in between. */

import mongoose, { type Connection, type mongo } from "mongoose";
import { createBatcher } from "../../../shared/batcher.ts";
import type { CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import {
  BY_ID,
  collectionOf,
  insertNew,
  isDuplicateKey,
  type Place,
  placed,
} from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { PageRequest, ProfileFilter } from "./list-filter.rules.ts";
import type { KeptAnswer, Profile, StoredProfile } from "./profile.types.ts";
import { filterQuery } from "./profile-queries.rules.ts";

export type ProfileRepository = ReturnType<typeof profileRepository>;

/** A write in flight and a prepared one keep mongod busy without splitting batches. */
const INSERT_BATCHES = { maxInFlight: 2, maxBatch: 100, gatherIn: "microtask" } as const;
/** Reads that arrive together are one query. A query that hangs frees its place for others. */
const READ_BATCHES = {
  maxInFlight: 4,
  maxBatch: 50,
  gatherIn: "microtask",
  stall: { afterMs: 1_000, most: 20 },
} as const;
const QUERY_MS = 5_000;

/** The arrays that only grow are never read to answer a partner. */
export const WITHOUT_TRAILS = { audit: 0, outbox: 0, notes: 0 } as const;
const READ = { projection: WITHOUT_TRAILS, maxTimeMS: QUERY_MS } as const;
export const LIST_ITEM = {
  ...WITHOUT_TRAILS,
  sealedKey: 0,
  people: 0,
  formerPeople: 0,
  documents: 0,
  financials: 0,
  changeRequests: 0,
  history: 0,
  decision: 0,
  keptAnswers: 0,
} as const;

/** An erased customer has no key. */
export type SealedKey = Place & Partial<Pick<Profile, "sealedKey">>;
export type ResealedKey = { before: SealedKey; sealedKey: string };

/** Entries of a customer's own trail: without a limit the document would outgrow what MongoDB can store. */
const MAX_AUDIT_ENTRIES = 450;

type Trails = { audit: CustomerAuditEntry; outbox: readonly OutboxEntry[]; kept?: KeptAnswer | null };

class Duplicate extends Error {
  override name = this.constructor.name;
}
export class DuplicateReference extends Duplicate {}
export class DuplicateKey extends Duplicate {}
export class DuplicateCustomer extends Duplicate {}

export function profileRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.profiles);
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
  const reads = createBatcher<Place, Profile | null>({
    async run(places) {
      const query = collection.find(placed(places), { ...READ, ...BY_ID });
      const found = new Map((await query.toArray()).map((profile) => [profile._id, profile]));
      return places.map(({ _id, partnerId }) => {
        const profile = found.get(_id);
        return profile?.partnerId === partnerId ? profile : null;
      });
    },
    ...READ_BATCHES,
  });

  return {
    collection,

    /** False while the driver knows no server that takes writes. */
    isReachable: (): boolean => connection.readyState === mongoose.ConnectionStates.connected,

    /** Rejects with DuplicateReference, DuplicateKey or DuplicateCustomer. */
    insert: inserts.add,

    /** Null when this partner has none, or when it was erased. */
    findOwn: (partnerId: string, customerId: string): Promise<Profile | null> =>
      reads.add({ _id: customerId, partnerId }),

    /** A customer of any partner; asks every shard. Null when it does not exist or was erased. */
    findById: (customerId: string): Promise<Profile | null> =>
      collection.findOne(
        { _id: customerId, erased: { $exists: false } } as mongo.Filter<StoredProfile>,
        READ,
      ),

    findByReference: (partnerId: string, partnerCustomerId: string): Promise<Profile | null> =>
      collection.findOne({ partnerId, partnerCustomerId }, READ),

    /** The customer that has the stored response of an Idempotency-Key. */
    findByKey: (partnerId: string, key: string): Promise<Profile | null> =>
      collection.findOne({ partnerId, "keptAnswers.key": key }, READ),

    /** No new version. False when the customer is gone or has the key; DuplicateKey when another customer has it. */
    async keepAnswer(customer: Place, kept: KeptAnswer): Promise<boolean> {
      const { matchedCount } = await collection
        .updateOne(
          { ...placeOf(customer), "keptAnswers.key": { $ne: kept.key } },
          { $push: { keptAnswers: kept } },
          BY_ID,
        )
        .catch(asDuplicateKey);
      return matchedCount === 1;
    },

    async forgetKey(customer: Place, key: string): Promise<void> {
      await collection.updateOne(placeOf(customer), { $pull: { keptAnswers: { key } } }, BY_ID);
    },

    /** Reads locally: the duplicate that refused an insert may not be on a majority yet. */
    async idOfReference(partnerId: string, partnerCustomerId: string): Promise<string | null> {
      const found = await collection.findOne(
        { partnerId, partnerCustomerId },
        { projection: { _id: 1 }, readConcern: { level: "local" }, maxTimeMS: QUERY_MS },
      );
      return found?._id ?? null;
    },

    list(partnerId: string, filter: ProfileFilter, page: PageRequest, nowIso: string): Promise<Profile[]> {
      const after = page.kind === "cursor" ? (page.after?.id ?? null) : null;
      const query = filterQuery(partnerId, filter, after, nowIso);
      const cursor = collection
        .find(query, { projection: LIST_ITEM, maxTimeMS: QUERY_MS })
        .sort({ _id: -1 })
        // An extra row shows whether there is a next page.
        .limit(page.pageSize + 1);
      if (page.kind === "page") cursor.skip((page.page - 1) * page.pageSize);
      return cursor.toArray();
    },

    count: (partnerId: string, filter: ProfileFilter, nowIso: string): Promise<number> =>
      collection.countDocuments(filterQuery(partnerId, filter, null, nowIso), { maxTimeMS: QUERY_MS }),

    /** Stores the differences and the trails, unless the profile changed since it was read. */
    async compareAndSet(
      before: Profile,
      after: Profile,
      { audit, outbox, kept }: Trails,
      session?: mongo.ClientSession,
    ): Promise<boolean> {
      const change = {
        $set: difference(before, after),
        $push: {
          audit: { $each: [audit], $slice: -MAX_AUDIT_ENTRIES },
          outbox: { $each: [...outbox] },
          ...(kept ? { keptAnswers: kept } : {}),
        },
      } as mongo.UpdateFilter<StoredProfile>;
      const isKeyFree = kept ? { "keptAnswers.key": { $ne: kept.key } } : {};
      const { matchedCount } = await collection
        .updateOne({ ...unchanged(before), ...isKeyFree }, change, session ? { session, ...BY_ID } : BY_ID)
        .catch(asDuplicateKey);
      return matchedCount === 1;
    },

    sealedKeysAfter: (customerId: string, limit: number): Promise<SealedKey[]> =>
      collection
        .find<SealedKey>(
          { _id: { $gt: customerId } },
          { projection: { partnerId: 1, sealedKey: 1 }, maxTimeMS: QUERY_MS },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Versions stay. A customer that was erased since it was read is skipped. */
    async replaceSealedKeys(moves: readonly ResealedKey[]): Promise<void> {
      const writes = moves.map(({ before, sealedKey }) => {
        const filter = { ...placeOf(before), sealedKey: before.sealedKey } as mongo.Filter<StoredProfile>;
        return { updateOne: { filter, update: { $set: { sealedKey } }, ...BY_ID } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },

    /** Queued customers of test partners that are due, with a name that decides by itself. */
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
  };
}

export const placeOf = ({ _id, partnerId }: Place): Place => ({ _id, partnerId });

/** A customer that has not changed since it was read. */
export const unchanged = (customer: Place & Pick<Profile, "version">): mongo.Filter<StoredProfile> => ({
  ...placeOf(customer),
  version: customer.version,
});

/** Rules make new objects for what they change, so an identical object means no change. */
function difference(before: Profile, after: Profile): Partial<Profile> {
  const names = Object.keys(after) as (keyof Profile)[];
  return Object.fromEntries(
    names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
}

/** An update changes no id and no reference, so only a key can be a duplicate. */
function asDuplicateKey(error: unknown): never {
  throw isDuplicateKey(error) ? new DuplicateKey() : error;
}

/** The server's message names the index that refused. */
function duplicateError(message: string): Error {
  if (message.includes("index: reference")) return new DuplicateReference();
  return message.includes("index: answered_key") ? new DuplicateKey() : new DuplicateCustomer();
}
