/** The MongoDB connection of a service; calls fail fast while the database is down. */
import mongoose, { type Connection, type Model, type mongo, type Schema } from "mongoose";
import type { Config } from "../config/config.ts";
import { unavailable } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { collection, type DeclaredCollection } from "./collections.rules.ts";
import { giveDeadlines } from "./mongo-deadlines.ts";

/** Operations of models inside `connection.transaction` take part in it without a session parameter. */
mongoose.set("transactionAsyncLocalStorage", true);

export type Mongo = ReturnType<typeof createMongo>;

/** Shorter checkouts found a free connection and are not counted as a wait. */
const POOL_WAIT_MS = 1;
const SELECTION_MS = 3_000;
/** A silent link fails its heartbeat after this time and SELECTION_MS. The retry of an operation adds SELECTION_MS. */
const HEARTBEAT_MS = 1_000;
const WRITE_CONCERN_MS = 5_000;
/** Idle connections are closed: the network may have dropped them, and each would cost an operation its deadline. */
const IDLE_MS = 10_000;

/** Written and read back to see that the database works; every database has it. */
export const BEATS = collection<{ _id: string; at: Date }>("beats", { shards: "one document" });

type Patience = {
  operationMs: number;
  /** Longer than any operation; 0 is without a limit. */
  socketMs: number;
};
const OF_A_SERVICE: Patience = { operationMs: 10_000, socketMs: 30_000 };
/** An index build has no deadline. */
export const OF_A_MIGRATION: Patience = { operationMs: 10 * 60_000, socketMs: 0 };

export function createMongo(
  config: Pick<Config, "mongodbUri" | "mongodbPoolSize" | "namespace" | "process">,
  metrics?: Pick<Metrics, "increment">,
  { operationMs, socketMs }: Patience = OF_A_SERVICE,
) {
  const connection = mongoose.createConnection();
  connection.on("error", () => undefined);
  giveDeadlines(connection, operationMs);
  return {
    /** Collections may be named before it is connected. */
    connection,
    async connect(): Promise<void> {
      await connection.openUri(config.mongodbUri, {
        dbName: databaseName(config.namespace, config.process),
        appName: `partner-onboarding ${config.process}`,
        maxPoolSize: config.mongodbPoolSize,
        writeConcern: { w: "majority", journal: true, wtimeoutMS: WRITE_CONCERN_MS },
        readConcern: { level: "majority" },
        readPreference: "primary",
        retryWrites: true,
        heartbeatFrequencyMS: HEARTBEAT_MS,
        serverSelectionTimeoutMS: SELECTION_MS,
        connectTimeoutMS: SELECTION_MS,
        socketTimeoutMS: socketMs,
        waitQueueTimeoutMS: operationMs,
        maxIdleTimeMS: IDLE_MS,
        bufferCommands: false,
        autoIndex: false,
        autoCreate: false,
        ignoreUndefined: true,
      });
      connection.getClient().on("connectionCheckedOut", ({ durationMS }) => {
        if (durationMS >= POOL_WAIT_MS)
          metrics?.increment("pbo_mongodb_pool_wait_seconds_total", {}, durationMS / 1_000);
      });
    },
    async ping(): Promise<void> {
      if (connection.readyState !== mongoose.ConnectionStates.connected) throw unavailable("MongoDB");
      await connection.db?.command({ ping: 1 });
    },
    /** A write and a read that a majority of the members confirms. */
    async roundTrip(): Promise<void> {
      const beats = collectionOf(connection, BEATS);
      const _id = config.process;
      await beats.updateOne({ _id }, { $set: { at: new Date() } }, { upsert: true }).catch(unlessDuplicate);
      await beats.findOne({ _id });
    },
    close: (): Promise<void> => connection.close(),
  };
}

export const databaseName = (namespace: string, service: string): string =>
  `${namespace || "pbo"}_${service.replaceAll("-", "_")}`;

const DUPLICATE_KEY = 11_000;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;

/** For an upsert that another process may make at the same time. */
export const unlessDuplicate = (error: unknown): void => {
  if (!isDuplicateKey(error)) throw error;
};

/** Stores a document of a model; false when a unique index has it already. */
export async function createNew<T>(model: Pick<Model<T>, "create">, document: T): Promise<boolean> {
  try {
    await model.create(document as never);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

const behindMongos = new WeakMap<Connection, boolean>();

/** Whether there are shards; asked once. */
export async function isBehindMongos(connection: Connection): Promise<boolean> {
  const known = behindMongos.get(connection);
  if (known !== undefined) return known;
  const { msg } = await connection.getClient().db("admin").command({ hello: 1 });
  behindMongos.set(connection, msg === "isdbgrid");
  return msg === "isdbgrid";
}

/** For a count that reads index keys alone: the partner is named only where it leads to a shard. */
export const onShardOf = async <P extends string | { $in: string[] }>(
  connection: Connection,
  partnerId: P,
): Promise<{ partnerId?: P }> => ((await isBehindMongos(connection)) ? { partnerId } : {});

/** A record of a partner, who leads mongos to its shard. */
export type Place = { _id: string; partnerId: string };

/** The filter that finds them; each is looked up by its id. */
export const placed = (places: readonly Place[]) => ({
  _id: { $in: places.map(({ _id }) => _id) },
  partnerId: { $in: [...new Set(places.map(({ partnerId }) => partnerId))] },
});

/** For what is asked for by id and partner: else the server would try every index that begins with the partner. */
export const BY_ID = { hint: { _id: 1 } } as const;

export const collectionOf = <T extends object>(
  connection: Connection,
  { name }: DeclaredCollection<T>,
): mongo.Collection<T> => connection.collection(name) as unknown as mongo.Collection<T>;

/** Where mongoose checks what is written. An index of the schema would never be built, so it is refused. */
export function modelOf<T extends object>(
  connection: Connection,
  { name }: DeclaredCollection<T>,
  schema: Schema<T>,
): Model<T> {
  if (schema.indexes().length > 0) throw new Error(`The indexes of ${name} belong in collections.ts.`);
  return (connection.models[name] ?? connection.model(name, schema, name)) as Model<T>;
}

/** Inserts new documents. Resolves to the positions of duplicates with the message that names the index. Idempotent. */
export async function insertNew<T extends { _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
  options: mongo.BulkWriteOptions = {},
): Promise<ReadonlyMap<number, string>> {
  if (documents.length === 0) return new Map();
  try {
    const raw = documents as unknown as mongo.OptionalUnlessRequiredId<T>[];
    await collection.insertMany(raw, { ...options, ordered: false });
    return new Map();
  } catch (error) {
    const duplicates = duplicatesOnly(error);
    if (duplicates) return duplicates;
    throw error;
  }
}

/** Null unless everything else in the batch was written with the requested write concern. */
function duplicatesOnly(error: unknown): Map<number, string> | null {
  const { writeErrors, result } = error as Partial<mongo.MongoBulkWriteError>;
  const each = [writeErrors ?? []].flat();
  const isOnlyDuplicates =
    each.length > 0 &&
    each.every(({ code }) => code === DUPLICATE_KEY) &&
    result?.getWriteConcernError() === undefined;
  return isOnlyDuplicates ? new Map(each.map(({ index, errmsg }) => [index, errmsg ?? ""])) : null;
}
