import { describe, expect, test } from "@jest/globals";
import { mongo } from "mongoose";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { createNew } from "../../../shared/mongo/mongo.ts";

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongo;
type Failure = ConstructorParameters<typeof MongoBulkWriteError>[0];
const noResult = {} as ConstructorParameters<typeof MongoBulkWriteError>[1];
const noMajority = { getWriteConcernError: () => ({ code: 64 }) } as unknown as typeof noResult;
const ofBulk = (failure: unknown): Error => new MongoBulkWriteError(failure as Failure, noResult);

const DUPLICATE = { index: 0, code: 11_000, errmsg: "E11000 duplicate key" };
const SHUTDOWN = { index: 1, code: 91, errmsg: "The server is in quiesce mode" };

const brokenPipe = () => Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
const away: [string, unknown][] = [
  ["a lost connection", new MongoNetworkError("connect ECONNREFUSED")],
  ["a server that shuts down", new MongoServerError({ code: 91 })],
  ["a shard without a primary, behind mongos", new MongoServerError({ code: 133 })],
  ["a range of a shard that keeps moving", new MongoServerError({ code: 13_388 })],
  ["a cursor that a restart took", new MongoServerError({ code: 43 })],
  ["no majority to read from after a restart", new MongoServerError({ code: 134 })],
  ["a snapshot that a restart took", new MongoServerError({ code: 246 })],
  ["a lost connection in a bulk write", ofBulk(new MongoNetworkError("connect ECONNREFUSED"))],
  ["no majority for a bulk write", ofBulk({ message: "waiting for replication timed out", code: 64 })],
  [
    "no majority for a bulk write of which a part was there before",
    new MongoBulkWriteError({ code: 11_000, writeErrors: [DUPLICATE] } as unknown as Failure, noMajority),
  ],
  ["a shutdown within a bulk write", ofBulk({ code: 11_000, writeErrors: [DUPLICATE, SHUTDOWN] })],
  ["a socket that broke under a write", brokenPipe()],
  ["a broken socket in a bulk write", ofBulk(brokenPipe())],
  ["a broken socket as the cause", new Error("write failed", { cause: brokenPipe() })],
];
test.each(away)("%s means that the database is away", (_what, error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

/** Errors of the server and of Node, by which the MongoDB drivers' specification and mongos say that it cannot serve now. */
test.each([
  ...[6, 7, 43, 50, 64, 89, 91, 133, 134, 189, 202, 239, 246, 262],
  ...[9_001, 10_058, 10_107, 11_600, 11_602, 13_388, 13_435, 13_436],
  ...["EPIPE", "ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"],
])("the code %s means that the database is away", (code) => {
  expect(isDatabaseAway(Object.assign(new Error("x"), { code }))).toBe(true);
});

const otherwise: [string, unknown][] = [
  ["a duplicate key", new MongoServerError({ code: 11_000 })],
  ["duplicate keys in a bulk write", ofBulk({ code: 11_000, writeErrors: [DUPLICATE] })],
  ["a mistake in a bulk write", ofBulk(new TypeError("x is not a function"))],
  ["a mistake of ours", new TypeError("x is not a function")],
  ["something that is no error", "MongoNetworkError"],
];
test.each(otherwise)("%s does not", (_what, error) => {
  expect(isDatabaseAway(error)).toBe(false);
});

describe("createNew", () => {
  const failing = (error?: Error) => ({
    create: (async () => {
      if (error) throw error;
    }) as never,
  });

  test("says whether the document is new", async () => {
    expect(await createNew(failing(), {})).toBe(true);
    expect(await createNew(failing(new MongoServerError({ code: 11_000 })), {})).toBe(false);
  });

  test("any other error is thrown", async () => {
    await expect(createNew(failing(new MongoNetworkError("gone")), {})).rejects.toThrow("gone");
  });
});
