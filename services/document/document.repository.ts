/** Reads and writes documents; changes are compare-and-set on the revision that was read. */
import type { Connection } from "mongoose";
import { createBatcher } from "../../shared/batcher.ts";
import { BY_ID, collectionOf, insertNew, onShardOf } from "../../shared/mongo/mongo.ts";
import { COLLECTIONS, NO_TIME, SLOT_INDEX } from "./collections.ts";
import { type DocumentRecord, type Owner, partnerIdOf, type Slot } from "./document.rules.ts";

/** Fields that may change after a link was made. */
export type DocumentChange = Partial<
  Pick<
    DocumentRecord,
    | "status"
    | "reason"
    | "sizeBytes"
    | "sha256"
    | "etag"
    | "versionId"
    | "uploadedAt"
    | "confirmedAt"
    | "confirmedKey"
    | "overwrittenAt"
    | "announcePending"
    | "dueAt"
  >
>;

export type DocumentRepository = {
  /** Storing a document once more changes nothing; rejects when the id is that of another customer's. */
  insert(record: DocumentRecord): Promise<void>;
  /** How many links this customer has had. */
  countOfCustomer(owner: Owner): Promise<number>;
  /** With a partner only a document of that partner is found, and one shard asked. */
  find(documentId: string, partnerId?: string): Promise<DocumentRecord | null>;
  /** Records of any partner; those of the named partner are searched first. */
  findMany(documentIds: readonly string[], partnerId?: string): Promise<DocumentRecord[]>;
  /** When the next link of the same slot was made. */
  nextLinkAt(slot: Slot, after: Date): Promise<Date | null>;
  /** The record as changed, or null when it was changed by somebody else since it was read. */
  change(record: DocumentRecord, change: DocumentChange): Promise<DocumentRecord | null>;
  /** Leaves ids and dates, and the files to the sweep. Those erased before are left out. Answers how many there were. */
  eraseOfCustomer(customerId: string, now: Date): Promise<number>;
  /** Clears the mark; when this write is lost, the change is announced once more. */
  markAnnounced(record: DocumentRecord, dueAt: Date | null): Promise<void>;
  /** Documents whose time has come, longest due first, for this caller alone until the lease ends. */
  claimDue(now: Date, leaseUntil: Date, limit: number): Promise<DocumentRecord[]>;
  /** Sets when the sweep looks again, unless the document changed since. */
  postpone(record: DocumentRecord, dueAt: Date | null, also?: Pick<DocumentRecord, "isTidy">): Promise<void>;
  /** Makes documents due whose files are named; answers how many there are. */
  lookNow(files: readonly { documentId: string; objectKey: string }[], now: Date): Promise<number>;
  countDue(now: Date): Promise<number>;
};

const READ_MS = 3_000;
/** Requests that arrive together are one question; a frozen question frees its slot. */
export const TOGETHER = {
  maxInFlight: 3,
  maxBatch: 64,
  gatherIn: "microtask",
  stall: { afterMs: 1_000, most: 20 },
} as const;
/** When such a write is lost, the sweep does its work once more. */
const QUICK = { ...BY_ID, writeConcern: { w: 1 } } as const;

/** Superseded by nothing: a file that still comes is removed like that of an older link. */
const ERASED = {
  status: "Superseded",
  reason: null,
  sizeBytes: null,
  sha256: null,
  etag: null,
  versionId: null,
  confirmedKey: null,
  wantedSizeBytes: null,
  wantedSha256: null,
  announcePending: false,
} as const satisfies Partial<DocumentRecord>;

export function documentRepository(connection: Connection): DocumentRepository {
  const collection = collectionOf(connection, COLLECTIONS.documents);
  const reading = { maxTimeMS: READ_MS };
  const inserts = createBatcher<DocumentRecord, string | null>({
    async run(records) {
      const duplicates = await insertNew(collection, records);
      return records.map((_, index) => duplicates.get(index) ?? null);
    },
    ...TOGETHER,
  });
  const counts = createBatcher<Owner, number>({
    async run(owners) {
      const customerIds = owners.map(({ customerId }) => customerId);
      const partnerIds = [...new Set(owners.map(({ partnerId }) => partnerId))];
      const own = { customerId: { $in: customerIds }, ...(await onShardOf(connection, { $in: partnerIds })) };
      const sums = await collection
        .aggregate<{ _id: string; links: number }>(
          [{ $match: own }, { $group: { _id: "$customerId", links: { $sum: 1 } } }],
          { ...reading, hint: SLOT_INDEX },
        )
        .toArray();
      const byCustomer = new Map(sums.map(({ _id, links }) => [_id, links]));
      return customerIds.map((customerId) => byCustomer.get(customerId) ?? 0);
    },
    ...TOGETHER,
  });

  return {
    async insert(record) {
      const duplicate = await inserts.add(record);
      if (duplicate === null) return;
      const own = { ...placeOf(record), customerId: record.customerId };
      if (await collection.findOne(own, { ...reading, ...BY_ID })) return;
      throw new Error("An id was given twice.", { cause: duplicate });
    },

    countOfCustomer: counts.add,

    find: (documentId, partnerId) =>
      collection.findOne({ _id: documentId, ...ofPartner(partnerId) }, { ...reading, ...BY_ID }),

    async findMany(documentIds, partnerId) {
      const find = (ids: readonly string[], of: { partnerId?: string }) =>
        collection.find({ _id: { $in: [...ids] }, ...of }, { ...reading, ...BY_ID }).toArray();
      const found = await find(documentIds, ofPartner(partnerId));
      const foundIds = new Set(found.map(({ _id }) => _id));
      const others = documentIds.filter((id) => !foundIds.has(id));
      return partnerId === undefined || others.length === 0 ? found : [...found, ...(await find(others, {}))];
    },

    async nextLinkAt({ partnerId, customerId, uboId, documentCategory }, after) {
      const next = await collection.findOne(
        { partnerId, customerId, uboId, documentCategory, createdAt: { $gt: after } },
        { ...reading, hint: SLOT_INDEX, sort: { createdAt: 1 }, projection: { createdAt: 1 } },
      );
      return next?.createdAt ?? null;
    },

    change: (record, change) =>
      collection.findOneAndUpdate(
        unchanged(record),
        { $set: change, $inc: { revision: 1 } },
        { returnDocument: "after", ...BY_ID },
      ),

    async eraseOfCustomer(customerId, now) {
      const $set = { ...ERASED, erasedAt: now, dueAt: now };
      const filter = { customerId, erasedAt: { $exists: false } };
      const change = { $set, $inc: { revision: 1 } } as const;
      return (await collection.updateMany(filter, change)).modifiedCount;
    },

    async markAnnounced(record, dueAt) {
      await collection.updateOne(unchanged(record), { $set: { announcePending: false, dueAt } }, QUICK);
    },

    async claimDue(now, leaseUntil, limit) {
      const due = await collection
        .find({ dueAt: { $gt: NO_TIME, $lte: now } }, { ...reading, sort: { dueAt: 1 }, limit })
        .toArray();
      const claims = due.map(async (record) => {
        const { modifiedCount } = await collection.updateOne(
          { ...unchanged(record), dueAt: record.dueAt },
          { $set: { dueAt: leaseUntil } },
          QUICK,
        );
        return modifiedCount === 1 ? [{ ...record, dueAt: leaseUntil }] : [];
      });
      return (await Promise.all(claims)).flat();
    },

    async postpone(record, dueAt, also = {}) {
      // A notice that came meanwhile made it due: then it stays due.
      const filter = { ...unchanged(record), dueAt: record.dueAt };
      await collection.updateOne(filter, { $set: { dueAt, ...also } }, QUICK);
    },

    async lookNow(files, now) {
      const looks = files.map(({ documentId, objectKey }) => {
        const place = { _id: documentId, partnerId: partnerIdOf(objectKey) };
        const filter = { ...place, $or: [{ objectKey }, { confirmedKey: objectKey }] };
        return { updateOne: { filter, update: { $set: { dueAt: now } }, ...BY_ID } };
      });
      return looks.length === 0 ? 0 : (await collection.bulkWrite(looks, { ordered: false })).matchedCount;
    },

    countDue: (now) => collection.countDocuments({ dueAt: { $gt: NO_TIME, $lte: now } }, reading),
  };
}

const placeOf = ({ _id, partnerId }: DocumentRecord) => ({ _id, partnerId });

const unchanged = (record: DocumentRecord) => ({ ...placeOf(record), revision: record.revision });

const ofPartner = (partnerId: string | undefined) => (partnerId === undefined ? {} : { partnerId });
