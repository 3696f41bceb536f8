/** Reads of the history are at one point in time, and its records expire. */
import { expect, jest, test } from "@jest/globals";
import mongoose from "mongoose";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { statisticsRepository } from "../../../services/delivery/history/statistics.repository.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";

const DAY_S = 86_400;
const connection = mongoose.createConnection();

test("a total is read at one snapshot: a delivery that moves into a tally meanwhile is counted once", async () => {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const aggregate = jest.spyOn(collection, "aggregate").mockReturnValue({ toArray: async () => [] } as never);
  await historyRepository(connection).total("partner", parseHistoryQuery({}));
  expect(aggregate).toHaveBeenCalledWith(expect.anything(), { readConcern: { level: "snapshot" } });
});

test("a page is read at one snapshot, along its index", async () => {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const session = { endSession: async () => undefined } as never;
  const start = jest.spyOn(connection, "startSession").mockResolvedValue(session);
  const cursor = { sort: () => cursor, limit: () => cursor, toArray: async () => [] };
  const find = jest.spyOn(collection, "find").mockReturnValue(cursor as never);
  await historyRepository(connection).page("partner", parseHistoryQuery({}), { skip: 0, after: null }, 5);
  expect(start).toHaveBeenCalledWith({ snapshot: true });
  expect(find).toHaveBeenCalledWith(expect.anything(), {
    ...{ session, readConcern: { level: "snapshot" }, projection: { attempts: 0 }, hint: "history" },
  });
});

test("counts by hour and day are read at one snapshot, along the index of the history", async () => {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const aggregate = jest.spyOn(collection, "aggregate").mockReturnValue({ toArray: async () => [] } as never);
  const range = { interval: "hour", from: new Date(0), before: new Date(1) } as const;
  await statisticsRepository(connection).count("partner", range);
  const options = { readConcern: { level: "snapshot" }, hint: "history" } as const;
  expect(aggregate).toHaveBeenLastCalledWith(expect.anything(), options);
});

test.each([
  ["deliveries", COLLECTIONS.deliveries, { createdAt: 1 }, 92 * DAY_S],
  ["the tallies of their days", COLLECTIONS.tallies, { at: 1 }, 92 * DAY_S],
  ["events", COLLECTIONS.events, { recordedAt: 1 }, 35 * DAY_S],
])("%s are removed by the database", (_, { indexes }, key, expireAfterSeconds) => {
  expect(indexes).toContainEqual({ name: "expiry", key, expireAfterSeconds });
});
