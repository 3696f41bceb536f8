/** Writes down every query that reads a whole collection, whichever process asks it. */
import mongoose from "mongoose";
import { databaseName } from "../../../shared/mongo/mongo.ts";

type Profiled = { ns: string; command: Record<string, unknown> };

/** By the profiler of the server: it knows the plan of the very query that was asked. */
export async function watchScans(mongodbUri: string, namespace: string) {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  const client = connection.getClient();
  const ofNamespace = { nameOnly: true, filter: { name: { $regex: `^${namespace}` } } };
  const { databases } = await client.db("admin").admin().listDatabases(ofNamespace);
  const watched = databases.map(({ name }) => client.db(name));
  for (const database of watched)
    await database.command({ profile: 1, filter: { planSummary: { $regex: "COLLSCAN" } } });
  const before = new Set<string>();
  return {
    /** Collection and query, a line each; lines of an earlier answer are left out. */
    async seen(): Promise<string[]> {
      const found = await Promise.all(
        watched.map((database) => database.collection<Profiled>("system.profile").find().toArray()),
      );
      const lines = new Set(found.flat().filter(isOfOurs).map(lineOf));
      const fresh = [...lines].filter((line) => !before.has(line));
      for (const line of fresh) before.add(line);
      return fresh;
    },
    async scanOnPurpose(): Promise<void> {
      const { db } = connection.useDb(databaseName(namespace, "delivery"));
      await db?.collection("deliveries").findOne({ onPurpose: true });
    },
    close: () => connection.close(),
  };
}

const isOfOurs = ({ ns }: Profiled): boolean => !ns.endsWith(".system.profile");

const lineOf = ({ ns, command: { filter, query, q, pipeline, sort } }: Profiled): string =>
  `${ns.slice(ns.indexOf(".") + 1)} ${JSON.stringify({ query: filter ?? query ?? q ?? pipeline, sort })}`;
