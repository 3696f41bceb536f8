import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/auth-token/collections.ts";
import type {
  DroppedRequests,
  StoredRequest,
} from "../../../../services/auth-token/request-log/request-log.model.ts";
import { requestLogRepository } from "../../../../services/auth-token/request-log/request-log.repository.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import { BEFORE, HOUR_MS, idsOf, later, NOW } from "../../../support/builders/records.ts";
import { fences } from "../../../support/fences.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";
import { waitFor } from "../../../support/wait-for.ts";

const { connection } = databaseOfFile("auth-token");

const log = requestLogRepository(connection);
const WEEK_MS = 7 * 24 * HOUR_MS;
const OLDER = { "it is older than a week": { at: BEFORE } };
const weekLater = NOW.getTime() + WEEK_MS;
const aRequest = (given: Partial<StoredRequest> = {}): StoredRequest => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), at: NOW, method: "GET", route: "/", status: 200 },
  ...{ code: null, fields: [], requestId: "r", durationMs: 1 },
  ...given,
});
const list = (partnerId: string, given: object = {}, now = weekLater) =>
  log.list({ partnerId, isFailed: false, beforeId: null, limit: 2, ...given }, now);

fences(connection, COLLECTIONS.requests, aRequest, {
  list: { by: ["partnerId"], unless: OLDER, call: ({ partnerId }) => list(partnerId) },
  "list of failed ones": {
    by: ["partnerId"],
    given: { isFailed: true },
    unless: { "it did not fail": { isFailed: undefined } },
    call: ({ partnerId }) => list(partnerId, { isFailed: true }),
  },
});

const aDropped = (given: Partial<DroppedRequests>): DroppedRequests => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), at: NOW, count: 5 },
  ...given,
});
fences(connection, COLLECTIONS.droppedRequests, aDropped, {
  droppedOf: {
    by: ["partnerId"],
    unless: OLDER,
    call: ({ partnerId }) => log.droppedOf(partnerId, weekLater),
    answers: ({ count }) => count,
  },
});

test("the request log: the newest first; dropped requests are added up by hour", async () => {
  await log.insert([]);
  await log.insert(["1", "2", "3"].map((_id) => aRequest({ _id, partnerId: "p" })));
  const ids = async (given: object = {}) => idsOf(await list("p", given));
  // Written with w: 1, so a majority read shows them a moment later.
  await waitFor(async () => (await ids({ limit: 9 })).length === 3, "the requests to be shown");
  expect([await ids(), await ids({ beforeId: "2" })]).toEqual([["3", "2"], ["1"]]);

  const dropped = collectionOf(connection, COLLECTIONS.droppedRequests);
  await dropped.deleteMany({});
  const drop = (partnerId: string, count: number, at: Date) =>
    log.countDropped([{ partnerId, count }], at.getTime());
  await log.countDropped([], NOW.getTime());
  await drop("p", 2, later(HOUR_MS - 1));
  await drop("p", 3, NOW);
  await drop("p", 4, later(HOUR_MS));
  await drop("q", 5, NOW);
  const stored = dropped.find({}, { readConcern: { level: "local" } }).sort({ _id: 1 });
  const hour = (partnerId: string, at: Date, count: number) => ({
    ...{ _id: `${partnerId} ${at.toISOString()}`, partnerId, at, count },
  });
  expect(await stored.toArray()).toEqual([
    ...[hour("p", NOW, 5), hour("p", later(HOUR_MS), 4), hour("q", NOW, 5)],
  ]);
});
