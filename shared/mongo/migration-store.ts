/** The collection `migrations` of a service's database: what was done to it, and who is at work on it. */
import type { Connection } from "mongoose";
import type { MigrationRecord, Numbered } from "./migrations.rules.ts";
import { unlessDuplicate } from "./mongo.ts";

export type MigrationStore = {
  /** In the order of their numbers. */
  records(): Promise<MigrationRecord[]>;
  begin(migration: Numbered): Promise<void>;
  end(migration: Numbered): Promise<void>;
  /** Takes or keeps the right to migrate for this long; false while another has it. */
  lease(holder: string, forMs: number): Promise<boolean>;
  release(holder: string): Promise<void>;
};

type Stored = Omit<MigrationRecord, "number"> & { _id: number };
type Lock = { _id: "lock"; holder: string; until: Date };

const MIGRATIONS_COLLECTION = "migrations";
const LOCK = { _id: "lock" } as const;
const NEVER = new Date(0);

export function migrationStore(connection: Connection): MigrationStore {
  const records = connection.collection<Stored>(MIGRATIONS_COLLECTION);
  const locks = connection.collection<Lock>(MIGRATIONS_COLLECTION);
  return {
    async records() {
      const found = await records.find({ _id: { $gt: 0 } }, { sort: { _id: 1 } }).toArray();
      return found.map(({ _id, ...rest }) => ({ number: _id, ...rest }));
    },
    async begin({ number, name }) {
      const $set = { name, startedAt: new Date(), endedAt: null };
      await records.updateOne({ _id: number }, { $set }, { upsert: true });
    },
    async end({ number }) {
      await records.updateOne({ _id: number }, { $set: { endedAt: new Date() } });
    },
    async lease(holder, forMs) {
      const $setOnInsert = { holder: "", until: NEVER };
      await locks.updateOne(LOCK, { $setOnInsert }, { upsert: true }).catch(unlessDuplicate);
      // By the clock of the server: those of two machines differ.
      const isFree = { $or: [{ $eq: ["$holder", holder] }, { $lte: ["$until", "$$NOW"] }] };
      const until = { $add: ["$$NOW", forMs] };
      const { matchedCount } = await locks.updateOne({ ...LOCK, $expr: isFree }, [
        { $set: { holder, until } },
      ]);
      return matchedCount === 1;
    },
    async release(holder) {
      await locks.updateOne({ ...LOCK, holder }, { $set: { until: NEVER } });
    },
  };
}
