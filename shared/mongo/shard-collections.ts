/** Spreads the collections of a database over the shards, where there are any: behind mongos. */
import type { Connection } from "mongoose";
import { isBehindMongos } from "./mongo.ts";
import { describeSpread, leadsToShard, type ShardTable, type Spread, spreadOf } from "./shards.rules.ts";

export type ShardStep = { name: string; state: "to do" | "done" | "not allowed" };

type Deps = { connection: Connection; table: ShardTable; report(text: string): void };

const UNAUTHORIZED = 13;

/** What is still to do; nothing on a replica set. */
export const planShards = async (deps: Pick<Deps, "connection" | "table">): Promise<ShardStep[]> =>
  (await unspread(deps)).map((spread) => ({ name: describeSpread(spread), state: "to do" }));

/** Can be interrupted anywhere, run again and run twice at once. */
export async function shardCollections({ connection, table, report }: Deps): Promise<ShardStep[]> {
  const steps: ShardStep[] = [];
  for (const spread of await unspread({ connection, table })) {
    const name = describeSpread(spread);
    report(`${connection.name}: ${name}`);
    const state = await shard(connection, spread).catch((error: { code?: number }) => {
      // The users of services may not; until somebody does who may, the collection works whole.
      if (error.code !== UNAUTHORIZED) throw error;
      return "not allowed" as const;
    });
    steps.push({ name, state });
  }
  return steps;
}

async function unspread({ connection, table }: Pick<Deps, "connection" | "table">): Promise<Spread[]> {
  if (!(await isBehindMongos(connection))) return [];
  const all = spreadOf(table).map(async (spread) => {
    const stats = await connection.db?.command({ collStats: spread.collection });
    return stats?.sharded ? [] : [spread];
  });
  return (await Promise.all(all)).flat();
}

async function shard(connection: Connection, { collection, key }: Spread): Promise<"done"> {
  const documents = connection.collection(collection);
  const isThere = (await connection.listCollections()).some(({ name }) => name === collection);
  const indexes = isThere ? await documents.indexes() : [];
  if (!leadsToShard(key, indexes)) await documents.createIndex({ ...key });
  const admin = connection.getClient().db("admin");
  await admin.command({ shardCollection: `${connection.name}.${collection}`, key });
  return "done";
}
