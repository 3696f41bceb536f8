/** Compares a database with the collections that its service declares, and creates what is missing. */
import type { Connection, mongo } from "mongoose";
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";
import {
  type ActualIndex,
  type CollectionTable,
  type DeclaredCollection,
  describeShardKey,
  type IndexDifferences,
  indexDifferences,
  leadsToShard,
  type NamedIndex,
  named,
  type ShardKey,
} from "./collections.rules.ts";
import { BEATS, isBehindMongos } from "./mongo.ts";

export type CollectionStep = { name: string; state: "to do" | "done" | "not allowed" | "not declared" };

type Deps = {
  connection: Connection;
  table: CollectionTable;
  /** Changes nothing. */
  planOnly?: boolean;
  report?(text: string): void;
};

const NOT_ALLOWED = "not allowed";
type Change = { name: string; make(): Promise<unknown> };
type Compared = IndexDifferences & { row: DeclaredCollection };

/** An index of the database contradicts its declaration; only an operator can decide. */
export class CollectionMismatch extends Error {
  override readonly name = "CollectionMismatch";
}

export class NotMigrated extends Error {
  override readonly name = "NotMigrated";
}

const UNAUTHORIZED = 13;
const NAMESPACE_NOT_FOUND = 26;
const PROGRESS_EVERY_MS = 2_000;

/** Makes every change, or lists them. It can be interrupted anywhere, run again, and run twice at the same time. */
export async function ensureCollections({
  connection,
  table,
  planOnly = false,
  report = () => undefined,
}: Deps): Promise<CollectionStep[]> {
  const compared = await compare(connection, table);
  const conflicts = compared.flatMap((differences) => differences.conflicts);
  if (conflicts.length > 0) throw new CollectionMismatch(`${connection.name}: ${conflicts.join(" ")}`);
  const changes = (await Promise.all(compared.map((each) => changesOf(connection, each)))).flat();
  const steps: CollectionStep[] = [];
  const progress = planOnly ? null : watchIndexBuilds(connection, report);
  try {
    for (const { name, make } of changes) {
      if (!planOnly) report(`${connection.name}: ${name}`);
      const isRefused = !planOnly && (await make()) === NOT_ALLOWED;
      steps.push({ name, state: planOnly ? "to do" : isRefused ? NOT_ALLOWED : "done" });
    }
  } finally {
    await progress?.stop();
  }
  const surplus = [...surplusIndexes(compared), ...(await surplusCollections(connection, compared))];
  return [...steps, ...surplus.map((name) => ({ name, state: "not declared" as const }))];
}

/** For a service at its start. An index that a newer release added or changed does not stop an older one. */
export async function requireCollections(connection: Connection, table: CollectionTable): Promise<void> {
  const lacking = (await compare(connection, table)).filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0) return;
  const list = lacking.map(({ row, missing }) => `${namesOf(missing)} of ${row.name}`).join("; ");
  throw new NotMigrated(
    `The database ${connection.name} lacks ${list}: run \`npm run admin -- migrate\` first.`,
  );
}

const compare = (connection: Connection, table: CollectionTable): Promise<Compared[]> =>
  Promise.all(
    [...Object.values(table), BEATS].map(async (row) => ({
      row,
      ...indexDifferences(row, await indexesOf(connection, row)),
    })),
  );

const databaseOf = (connection: Connection, { isAudit }: DeclaredCollection): mongo.Db =>
  connection.getClient().db(isAudit ? `${connection.name}_audit` : connection.name);

/** An index that is still being built counts as missing: creating it waits for the build. */
async function indexesOf(connection: Connection, row: DeclaredCollection): Promise<ActualIndex[]> {
  try {
    const question = { listIndexes: row.name, includeBuildUUIDs: true };
    const { cursor } = await databaseOf(connection, row).command(question);
    return (cursor.firstBatch as ActualIndex[]).filter((index) => "name" in index);
  } catch (error) {
    const { code } = error as { code?: number };
    if (code === NAMESPACE_NOT_FOUND) return [];
    // With the rights of a service: `audit prepare` creates these as an administrator, and lists work without them.
    if (code === UNAUTHORIZED && row.isAudit) return row.indexes.map(named);
    throw error;
  }
}

async function changesOf(connection: Connection, { row, missing, expiries }: Compared): Promise<Change[]> {
  const database = databaseOf(connection, row);
  const changes: Change[] = expiries.map(({ name, expireAfterSeconds }) => ({
    name: `change expireAfterSeconds of index ${name} of ${row.name}`,
    make: () => database.command({ collMod: row.name, index: { name, expireAfterSeconds } }),
  }));
  // In one command, which reads a grown collection once.
  if (missing.length > 0)
    changes.unshift({
      name: `create ${namesOf(missing)} of ${row.name}`,
      make: () => database.collection(row.name).createIndexes(missing as mongo.IndexDescription[]),
    });
  const { shards } = row;
  if (typeof shards !== "string" && !(await isSharded(connection, row)))
    changes.push({
      name: `shard ${row.name} by ${describeShardKey(shards)}`,
      make: () => shard(connection, row, shards),
    });
  return changes;
}

/** True without shards. */
async function isSharded(connection: Connection, row: DeclaredCollection): Promise<boolean> {
  if (!(await isBehindMongos(connection))) return true;
  return (await databaseOf(connection, row).command({ collStats: row.name })).sharded;
}

async function shard(connection: Connection, row: DeclaredCollection, key: ShardKey): Promise<unknown> {
  const database = databaseOf(connection, row);
  if (!leadsToShard(key, await indexesOf(connection, row)))
    await database.collection(row.name).createIndex({ ...key });
  try {
    const admin = connection.getClient().db("admin");
    return await admin.command({ shardCollection: `${connection.name}.${row.name}`, key });
  } catch (error) {
    // The users of services may not shard. Until an administrator does, the collection works on one shard.
    if ((error as { code?: number }).code === UNAUTHORIZED) return NOT_ALLOWED;
    throw error;
  }
}

const namesOf = (indexes: readonly NamedIndex[]): string =>
  `index ${indexes.map(({ name }) => name).join(", ")}`;

const surplusIndexes = (compared: readonly Compared[]): string[] =>
  compared
    .filter(({ row }) => !row.isAudit)
    .flatMap(({ row, surplus }) => surplus.map((name) => `index ${name} of ${row.name}`));

async function surplusCollections(connection: Connection, compared: readonly Compared[]): Promise<string[]> {
  const declared = new Set(compared.map(({ row }) => row.name));
  const names = (await connection.listCollections()).map(({ name }) => name);
  return names
    .filter((name) => !declared.has(name) && !name.startsWith("system."))
    .map((name) => `collection ${name}`);
}

function watchIndexBuilds(connection: Connection, report: (text: string) => void) {
  const progress = createPollLoop({
    lane: freeLane,
    everyMs: PROGRESS_EVERY_MS,
    round: async () => {
      for (const text of await describeIndexBuilds(connection)) report(text);
    },
    // Progress is information only: a user that may not read it migrates all the same.
    onError: () => undefined,
  });
  progress.start(PROGRESS_EVERY_MS);
  return progress;
}

/** Progress of the index builds of a database, as its server reports it. */
export async function describeIndexBuilds(connection: Connection): Promise<string[]> {
  const operations = connection
    .getClient()
    .db("admin")
    .aggregate<{ ns: string; msg?: string; progress?: { done: number; total: number } }>(
      [
        { $currentOp: { allUsers: true } },
        // The thread that builds; the command waits for it.
        { $match: { msg: /^Index Build/, ns: { $gte: `${connection.name}.`, $lt: `${connection.name}/` } } },
        { $project: { ns: 1, msg: 1, progress: 1 } },
      ],
      // Operations are those of one server, which has no majority.
      { readConcern: { level: "local" } },
    );
  return (await operations.toArray()).flatMap(({ ns, msg, progress }) =>
    progress ? [`${ns}: ${msg ?? "index build"} (${progress.done} of ${progress.total})`] : [],
  );
}
