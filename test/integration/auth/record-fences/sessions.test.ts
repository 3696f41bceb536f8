import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/auth-token/collections.ts";
import { loginThrottleRepository } from "../../../../services/auth-token/session/login-throttle.repository.ts";
import { pauseAfter, THROTTLES } from "../../../../services/auth-token/session/login-throttle.rules.ts";
import type { Session } from "../../../../services/auth-token/session/session.model.ts";
import { sessionRepository } from "../../../../services/auth-token/session/session.repository.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import { HOUR_MS, later, NOW, several } from "../../../support/builders/records.ts";
import { fences } from "../../../support/fences.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";

const { connection } = databaseOfFile("auth-token");

const sessions = sessionRepository(connection);
const aSession = (given: Partial<Session> = {}): Session => ({
  ...{ _id: randomUUID(), userId: randomUUID(), partnerId: "p", createdAt: NOW, credentialVersion: 0 },
  ...{ lastSeenAt: NOW, expiresAt: later(HOUR_MS) },
  ...given,
});

fences(connection, COLLECTIONS.sessions, aSession, {
  findById: { call: ({ _id }) => sessions.findById(_id) },
  listOfUser: { by: ["userId"], call: ({ userId }) => sessions.listOfUser(userId) },
  touch: {
    unless: { "it was seen later": { lastSeenAt: later(6) } },
    call: ({ _id }) => sessions.touch(_id, later(5)),
    becomes: { lastSeenAt: later(5) },
  },
  remove: { call: ({ _id }) => sessions.remove(_id), becomes: null },
  removeOwn: {
    by: ["_id", "userId"],
    once: true,
    call: ({ userId, _id }) => sessions.removeOwn(userId, _id),
    becomes: null,
  },
  removeOfUser: {
    by: ["userId"],
    unless: { "it is the session that stays": { _id: "this" } },
    once: true,
    call: ({ userId }) => sessions.removeOfUser(userId, "this"),
    becomes: null,
  },
});

test("sessions: the newest 200 are listed, and all of a person are removed", async () => {
  const [old, young] = [aSession({ userId: "me" }), aSession({ userId: "me", createdAt: later(1) })];
  for (const each of [old, young]) await sessions.insert(each);
  expect(await sessions.listOfUser("me")).toEqual([young, old]);
  await collectionOf(connection, COLLECTIONS.sessions).insertMany(
    several(201, () => aSession({ userId: "me" })),
  );
  expect(await sessions.listOfUser("me")).toHaveLength(200);
  expect(await sessions.removeOfUser("me")).toBe(203);
});

const throttles = loginThrottleRepository(connection);
const counts = collectionOf(connection, COLLECTIONS.loginThrottles);

test("tries of one address that arrive in another order than they began: none is refused", async () => {
  const now = NOW.getTime();
  for (const [index, at] of [now, now - 50, now + 10].entries())
    expect(await throttles.countTry("overtaken", THROTTLES.address, at)).toEqual({
      wait: 0,
      tries: index + 1,
    });
  await throttles.forget("overtaken");
});

test("wrong logins: a paused count stays as it is; one taken back pauses nobody", async () => {
  const policy = { freeTries: 3, firstPauseMs: 1_000, maxPauseMs: 8_000 };
  const now = NOW.getTime();
  const stored = () => counts.findOne({ _id: "me" });
  expect(await throttles.pause("me", now)).toBe(0);
  await throttles.takeBack("me");
  expect(await stored()).toBeNull();
  for (const _ of [1, 2]) expect(await throttles.countTry("other", policy, now)).toMatchObject({ wait: 0 });
  await Promise.all(several(3, () => throttles.countTry("me", policy, now)));
  expect(await stored()).toMatchObject({ tries: 3 });
  const paused = await throttles.pause("me", now);
  expect(paused).toBeGreaterThan(0);
  expect(await throttles.countTry("me", policy, now)).toEqual({ wait: paused, tries: 3 });
  expect(await throttles.countTry("me", policy, now + paused - 1)).toEqual({ wait: 1, tries: 3 });
  expect(await throttles.pause("other", now)).toBe(0);
  await throttles.takeBack("me");
  expect(await stored()).toMatchObject({ tries: 2, blockedUntil: new Date(0) });
  for (const _ of [1, 2, 3]) await throttles.takeBack("me");
  expect(await stored()).toMatchObject({ tries: 0 });
  await throttles.forget("none");
  expect(await counts.countDocuments()).toBe(2);
  await throttles.forget("other");
  expect(await stored()).not.toBeNull();
  await throttles.forget("me");
  expect(await stored()).toBeNull();
});

test("logins of a whole office at once are each counted once and none is refused", async () => {
  const policy = { freeTries: 60, firstPauseMs: 1_000, maxPauseMs: 8_000 };
  for (let round = 0; round < 10; round += 1) {
    const counted = await Promise.all(several(40, () => throttles.countTry("office", policy, NOW.getTime())));
    expect(counted.map(({ wait }) => wait)).toEqual(several(40, () => 0));
    expect(counted.map(({ tries }) => tries).sort((a, b) => a - b)).toEqual(
      several(40, (index) => index + 1),
    );
    await throttles.forget("office");
  }
});

test("wrong logins: each try pauses as its rule says, and is forgotten an hour after its pause", async () => {
  const stored = () => counts.findOne({ _id: "series" });
  let now = NOW.getTime();
  for (let tries = 1; tries <= 40; tries += 1) {
    expect(await throttles.countTry("series", THROTTLES.pair, now)).toEqual({ wait: 0, tries });
    const pause = pauseAfter(tries, THROTTLES.pair);
    expect(await stored()).toEqual({
      _id: "series",
      tries,
      blockedUntil: new Date(pause > 0 ? now + pause : 0),
      expiresAt: new Date(now + pause + HOUR_MS),
    });
    now += pause;
  }
  const end = (await stored())?.expiresAt.getTime() ?? 0;
  expect(await throttles.countTry("series", THROTTLES.pair, end - 1)).toEqual({ wait: 0, tries: 41 });
  const last = (await stored())?.expiresAt.getTime() ?? 0;
  expect(await throttles.countTry("series", THROTTLES.pair, last)).toEqual({ wait: 0, tries: 1 });
  await throttles.forget("series");
});
