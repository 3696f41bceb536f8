/** Every write of a service is confirmed by a majority with its journal. The stages check all writes of their suites; here is the check itself. */
import { describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { insertNew } from "../../../shared/mongo/mongo.ts";
import { commandsOf } from "../../support/stage/database-commands.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";
import { weaknessOf } from "../../support/stage/weak-writes.ts";

type Thing = { _id: string; n?: number };
const STRONG = { w: "majority", j: true };

describe.each(SERVICE_NAMES)("the connection of %s", (service) => {
  const mongo = databaseOfFile(service);
  const things = () => mongo.connection.collection<Thing>("things");
  const started = async (act: () => Promise<unknown>) =>
    (await commandsOf(mongo, act)).map((command) => {
      const [commandName = ""] = Object.keys(command);
      return { commandName, databaseName: "db", command };
    });

  test.each<[string, () => Promise<unknown>]>([
    ["insertNew", () => insertNew(things() as never, [{ _id: "a" }, { _id: "b" }])],
    ["insertNew of what is there", () => insertNew(things() as never, [{ _id: "a" }])],
    ["an update", () => things().updateOne({ _id: "a" }, { $set: { n: 1 } })],
    ["an update of many", () => things().updateMany({}, { $set: { n: 2 } })],
    ["a find and change", () => things().findOneAndUpdate({ _id: "a" }, { $set: { n: 3 } })],
    [
      "a bulk write",
      () => things().bulkWrite([{ updateOne: { filter: { _id: "a" }, update: { $set: { n: 4 } } } }]),
    ],
    [
      "a transaction",
      () =>
        mongo.connection.transaction((session) =>
          things().updateOne({ _id: "a" }, { $inc: { n: 1 } }, { session }),
        ),
    ],
    ["a beat", () => mongo.roundTrip()],
    ["a removal", () => things().deleteOne({ _id: "b" })],
  ])("%s: majority and journal", async (_name, act) => {
    const commands = await started(act);
    expect(commands.map(weaknessOf).filter(Boolean)).toEqual([]);
    const concerns = commands.flatMap(({ command }) => (command.writeConcern ? [command.writeConcern] : []));
    expect(concerns).toEqual([expect.objectContaining(STRONG), ...concerns.slice(1)]);
  });
});

describe("the check", () => {
  const of = (commandName: string, collection: string, more: object) =>
    weaknessOf({ commandName, databaseName: "db", command: { [commandName]: collection, ...more } });
  const updates = [{ u: { $set: { dueAt: 1 } } }];

  test.each<[string, string | null]>([
    ["a read", of("find", "documents", {})],
    ["a majority with its journal", of("insert", "documents", { writeConcern: STRONG })],
    ["a write inside a transaction", of("insert", "documents", { autocommit: false })],
    ["a sweep's mark, on one server", of("update", "documents", { writeConcern: { w: 1 }, updates })],
  ])("%s: is no weakness", (_name, problem) => {
    expect(problem).toBeNull();
  });

  test.each<[string, string | null]>([
    ["no concern", of("insert", "documents", {})],
    ["one server", of("insert", "documents", { writeConcern: { w: 1, j: true } })],
    ["no journal", of("findAndModify", "documents", { writeConcern: { w: "majority", j: false } })],
    ["a journal that is not named", of("update", "documents", { writeConcern: { w: "majority" } })],
    ["a weak commit", of("commitTransaction", "1", { autocommit: false, writeConcern: { w: 1 } })],
    [
      "more than the sweep's mark on one server",
      of("update", "documents", {
        writeConcern: { w: 1 },
        updates: [{ u: { $set: { dueAt: 1, status: 2 } } }],
      }),
    ],
  ])("%s: is a weakness", (_name, problem) => {
    expect(problem).not.toBeNull();
  });
});

describe("a duplicate", () => {
  const { MongoBulkWriteError } = mongoose.mongo;
  const unconfirmed = { code: 64, errmsg: "waiting for replication timed out" };
  /** As the driver answers an insert of three, with these codes of refused ones. */
  const refusing = (codes: readonly number[], writeConcernError?: object) => {
    const writeErrors = codes.map((code, index) => ({ code, index, errmsg: `refused ${index}` }));
    const result = { getWriteConcernError: () => writeConcernError };
    const error = Object.assign(
      new MongoBulkWriteError(
        { message: "bulk", code: codes[0] ?? 64, writeErrors } as never,
        result as never,
      ),
      { writeErrors },
    );
    return { insertMany: () => Promise.reject(error) } as never;
  };
  const documents = ["a", "b", "c"].map((_id) => ({ _id }));

  test("with all else confirmed: is answered by its place and the server's message", async () => {
    const duplicates = await insertNew(refusing([11_000, 11_000]), documents);
    expect([...duplicates]).toEqual([
      [0, "refused 0"],
      [1, "refused 1"],
    ]);
  });

  test.each<[string, readonly number[], object | undefined]>([
    ["that no majority confirmed, as little as the others", [11_000], unconfirmed],
    ["beside another refusal", [11_000, 121], undefined],
    ["of nothing, without a majority", [], unconfirmed],
  ])("%s: is no final answer", async (_name, codes, concern) => {
    await expect(insertNew(refusing(codes, concern), documents)).rejects.toMatchObject({ message: "bulk" });
  });
});
