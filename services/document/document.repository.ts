/** Reads and writes documents; changes are compare-and-set on the revision that was read. */
import type { Connection } from "mongoose";
import { createBatcher } from "../../shared/batcher.ts";
import { BY_ID, collectionOf, insertNew, onShardOf } from "../../shared/mongo/mongo.ts";
import { COLLECTIONS, NO_TIME, SLOT_INDEX } from "./collections.ts";
import { type DocumentRecord, NO_FILE, type Owner, partnerIdOf, type Slot } from "./document.rules.ts";

export type DocumentChange = Partial<Omit<DocumentRecord, "_id" | keyof Slot | "objectKey" | "revision">>;

export type DocumentRepository = ReturnType<typeof documentRepository>;

const READ_MS = 3_000;
/** Reads that arrive together are one query; a query that hangs leaves its place to the others. */
export const TOGETHER = {
  maxInFlight: 3,
  maxBatch: 64,
  gatherIn: "microtask",
  stall: { afterMs: 1_000, most: 20 },
} as const;
/** When such a write is lost, the sweep does its work once more. */
const QUICK = { ...BY_ID, writeConcern: { w: 1 } } as const;

/** Superseded without a newer link: a file that is uploaded later is removed. */
const ERASED = {
  ...NO_FILE,
  status: "Superseded",
  wantedSizeBytes: null,
  wantedSha256: null,
  announcePending: false,
} as const satisfies Partial<DocumentRecord>;

export function documentRepository(connection: Connection) {
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
    /** Storing a document again changes nothing; rejects when its id belongs to another customer. */
    async insert(record: DocumentRecord): Promise<void> {
      const duplicate = await inserts.add(record);
      if (duplicate === null) return;
      const own = { ...placeOf(record), customerId: record.customerId };
      if (await collection.findOne(own, { ...reading, ...BY_ID })) return;
      throw new Error("An id was given twice.", { cause: duplicate });
    },

    /** How many links this customer has had. */
    countOfCustomer: counts.add,

    /** With a partner only its own document is found, and one shard asked. */
    find: (documentId: string, partnerId?: string): Promise<DocumentRecord | null> =>
      collection.findOne({ _id: documentId, ...ofPartner(partnerId) }, { ...reading, ...BY_ID }),

    /** Documents of any partner; those of the named partner are looked up first. */
    async findMany(documentIds: readonly string[], partnerId?: string): Promise<DocumentRecord[]> {
      const find = (ids: readonly string[], of: { partnerId?: string }) =>
        collection.find({ _id: { $in: [...ids] }, ...of }, { ...reading, ...BY_ID }).toArray();
      const found = await find(documentIds, ofPartner(partnerId));
      const foundIds = new Set(found.map(({ _id }) => _id));
      const others = documentIds.filter((id) => !foundIds.has(id));
      return partnerId === undefined || others.length === 0 ? found : [...found, ...(await find(others, {}))];
    },

    /** When the next link of the same slot was made. */
    async nextLinkAt(
      { partnerId, customerId, uboId, documentCategory }: Slot,
      after: Date,
    ): Promise<Date | null> {
      const next = await collection.findOne(
        { partnerId, customerId, uboId, documentCategory, createdAt: { $gt: after } },
        { ...reading, hint: SLOT_INDEX, sort: { createdAt: 1 }, projection: { createdAt: 1 } },
      );
      return next?.createdAt ?? null;
    },

    /** The record as changed; null when another process changed it since it was read. */
    change: (record: DocumentRecord, change: DocumentChange): Promise<DocumentRecord | null> =>
      collection.findOneAndUpdate(
        unchanged(record),
        { $set: change, $inc: { revision: 1 } },
        { returnDocument: "after", ...BY_ID },
      ),

    /** Leaves ids and dates, and the files to the sweep. Returns how many documents were not erased before. */
    async eraseOfCustomer(customerId: string, now: Date): Promise<number> {
      const $set = { ...ERASED, erasedAt: now, dueAt: now };
      const filter = { customerId, erasedAt: { $exists: false } };
      const change = { $set, $inc: { revision: 1 } } as const;
      return (await collection.updateMany(filter, change)).modifiedCount;
    },

    /**
     * Clears the mark; when this write is lost, the change is announced once more. A notification that arrived meanwhile has
     * made the document due, and it stays due.
     */
    async markAnnounced(record: DocumentRecord, dueAt: Date | null): Promise<void> {
      const isUntouched = { $eq: ["$dueAt", record.dueAt] };
      const $set = { announcePending: false, dueAt: { $cond: [isUntouched, dueAt, "$dueAt"] } };
      await collection.updateOne(unchanged(record), [{ $set }], QUICK);
    },

    /** The documents due for the longest time, for this caller alone until the lease ends. */
    async claimDue(now: Date, leaseUntil: Date, limit: number): Promise<DocumentRecord[]> {
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

    /** Sets when the sweep is due next. A document that changed, or that a notification made due, is left as it is. */
    async postpone(
      record: DocumentRecord,
      dueAt: Date | null,
      also: Partial<Pick<DocumentRecord, "isTidy">> = {},
    ): Promise<void> {
      const filter = { ...unchanged(record), dueAt: record.dueAt };
      await collection.updateOne(filter, { $set: { dueAt, ...also } }, QUICK);
    },

    /** Makes the documents of these files due; returns how many there are. */
    async makeDue(files: readonly { documentId: string; objectKey: string }[], now: Date): Promise<number> {
      const writes = files.map(({ documentId, objectKey }) => {
        const place = { _id: documentId, partnerId: partnerIdOf(objectKey) };
        const filter = { ...place, $or: [{ objectKey }, { confirmedKey: objectKey }] };
        return { updateOne: { filter, update: { $set: { dueAt: now } }, ...BY_ID } };
      });
      return writes.length === 0 ? 0 : (await collection.bulkWrite(writes, { ordered: false })).matchedCount;
    },

    countDue: (now: Date): Promise<number> =>
      collection.countDocuments({ dueAt: { $gt: NO_TIME, $lte: now } }, reading),
  };
}

const placeOf = ({ _id, partnerId }: DocumentRecord) => ({ _id, partnerId });

const unchanged = (record: DocumentRecord) => ({ ...placeOf(record), revision: record.revision });

const ofPartner = (partnerId: string | undefined) => (partnerId === undefined ? {} : { partnerId });
