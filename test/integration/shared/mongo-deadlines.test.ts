/** Every kind of operation ends by its deadline while the link to MongoDB is held; connections that may be dead are given up. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose, { type Connection, Schema } from "mongoose";
import { collection as declared } from "../../../shared/mongo/collections.rules.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { collectionOf, createMongo } from "../../../shared/mongo/mongo.ts";
import { giveDeadlines } from "../../../shared/mongo/mongo-deadlines.ts";
import { retry } from "../../../shared/retry.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { aTestNamespace, testServers } from "../../support/servers/servers.ts";
import { waitFor } from "../../support/wait-for.ts";

const WITHIN_MS = 1_000;
type Thing = { name: string };
const schema = new Schema<Thing>({ name: String });
const THINGS = declared<Thing>("things", { shards: "few" });
let link: Link;
let connection: Connection;
beforeAll(async () => {
  link = await startLink(testServers().mongodbUri);
  connection = mongoose.createConnection();
  giveDeadlines(connection, WITHIN_MS);
  await connection.openUri(link.url, { dbName: aTestNamespace(), autoIndex: false, autoCreate: false });
});
afterAll(async () => {
  link.set("pass");
  await connection.dropDatabase();
  await connection.close();
  await link.close();
});

/** On a busy machine an answer may take longer than the deadline. */
const untilAnswered = <T>(run: () => Promise<T>) => retry(run, { firstWaitMs: 50, maxTries: 20 });

test.each(["hold", "hold-up", "hold-down"] as const)(
  "%s: late, and known as a database away",
  async (mode) => {
    const model = connection.model<Thing>("Thing", schema);
    const collection = collectionOf(connection, THINGS);
    await untilAnswered(() => collection.insertOne({ name: "there" }));
    const long = "x".repeat(4_000_000);
    link.set(mode);
    const operations = {
      findOne: () => collection.findOne({}),
      find: () => collection.find({}).toArray(),
      aggregate: () => collection.aggregate([{ $match: {} }]).next(),
      insertMany: () => collection.insertMany([{ name: long }]),
      updateMany: () => collection.updateMany({}, { $set: { name: "b" } }),
      deleteMany: () => collection.deleteMany({ name: "nobody" }),
      countDocuments: () => collection.countDocuments({}),
      "a model": () => model.findOne({}).exec(),
      "another collection": () => connection.collection("others").findOne({}),
    };
    const outcomes = await Promise.all(
      Object.entries(operations).map(async ([name, run]) => [
        name,
        await run().then(
          () => "answered",
          (error) => (isDatabaseAway(error) ? "away" : error),
        ),
      ]),
    );
    link.set("pass");
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(Object.keys(operations).map((name) => [name, "away"])),
    );
    expect(await untilAnswered(() => collection.findOne({}))).not.toBeNull();
  },
);

/** Its own, and two on which the driver watches the server. */
const OF_ONE_CALLER = 3;

test("connections that a burst left behind: given up before an operation meets one that the network forgot", async () => {
  const mongo = createMongo({
    mongodbUri: link.url,
    mongodbPoolSize: 20,
    namespace: aTestNamespace(),
    process: "profile",
  });
  const before = link.connections();
  await mongo.connect();
  try {
    const things = mongo.connection.collection("things");
    await things.insertOne({ name: "there" });
    const atOnce = Array.from({ length: 10 }, () => things.findOne({ $where: "sleep(500) || true" }));
    expect(await Promise.all(atOnce)).not.toContain(null);
    expect(link.connections() - before).toBeGreaterThan(OF_ONE_CALLER);
    await waitFor(() => link.connections() - before <= OF_ONE_CALLER, "the others to be closed");
  } finally {
    await mongo.close();
  }
});

test("a link that falls silent is noticed by the driver's heartbeat, before an operation has reached its deadline", async () => {
  const mongo = createMongo({
    mongodbUri: link.url,
    mongodbPoolSize: 2,
    namespace: aTestNamespace(),
    process: "profile",
  });
  await mongo.connect();
  try {
    const things = mongo.connection.collection("things");
    await things.insertOne({ name: "there" });
    link.set("hold");
    const error: unknown = await things.insertOne({ name: "lost" }).catch((reason) => reason);
    expect(error).toMatchObject({ name: "MongoServerSelectionError" });
    expect(isDatabaseAway(error)).toBe(true);
  } finally {
    link.set("pass");
    await mongo.close();
  }
});
