/** Whose sessions, credentials, keys and requests are found and changed, and what a late or second write does: the guarantee is in the queries. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/auth-token/collections.ts";
import type { Credential } from "../../../services/auth-token/credential/credential.model.ts";
import {
  credentialRepository,
  KEPT_FAILURES,
} from "../../../services/auth-token/credential/credential.repository.ts";
import type { StoredRequest } from "../../../services/auth-token/request-log/request-log.model.ts";
import { requestLogRepository } from "../../../services/auth-token/request-log/request-log.repository.ts";
import { loginThrottleRepository } from "../../../services/auth-token/session/login-throttle.repository.ts";
import {
  type LoginThrottle,
  pauseAfter,
  THROTTLES,
} from "../../../services/auth-token/session/login-throttle.rules.ts";
import type { Session } from "../../../services/auth-token/session/session.model.ts";
import { sessionRepository } from "../../../services/auth-token/session/session.repository.ts";
import { quotaRepository } from "../../../services/auth-token/token/quota.repository.ts";
import { signingKeyRepository } from "../../../services/auth-token/token/signing-key.repository.ts";
import type { SigningKeyRecord } from "../../../services/auth-token/token/signing-key.rules.ts";
import { usedAssertionRepository } from "../../../services/auth-token/token/used-assertion.repository.ts";
import { certificateId } from "../../../shared/identity/token-id.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { collectionOf, type Mongo } from "../../../shared/mongo/mongo.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

let mongo: Mongo;
beforeAll(async () => {
  mongo = await openTestDatabase("auth-token");
});
afterAll(() => mongo.close());

test("sessions: of their own person, the newest first; those that end leave the others", async () => {
  const sessions = sessionRepository(mongo.connection);
  const aSession = (given: Partial<Session> = {}): Session => ({
    _id: randomUUID(),
    userId: "me",
    partnerId: "p",
    createdAt: NOW,
    credentialVersion: 0,
    lastSeenAt: NOW,
    expiresAt: later(HOUR_MS),
    ...given,
  });
  const [old, young, theirs] = [aSession(), aSession({ createdAt: later(1) }), aSession({ userId: "they" })];
  for (const each of [old, young, theirs]) await sessions.insert(each);
  await sessions.touch(young._id, later(5));
  await sessions.touch(young._id, later(4));
  const seen = { ...young, lastSeenAt: later(5) };
  expect(await sessions.listOfUser("me")).toEqual([seen, old]);
  expect(await sessions.removeOwn("me", theirs._id)).toBe(false);
  expect(await sessions.removeOwn("me", old._id)).toBe(true);
  await mongo.connection.collection<Session>("sessions").insertMany(several(201, () => aSession()));
  expect(await sessions.listOfUser("me")).toHaveLength(200);
  expect(await sessions.removeOfUser("me", young._id)).toBe(201);
  expect(await sessions.findById(young._id)).toEqual(seen);
  expect(await sessions.removeOfUser("me")).toBe(1);
  expect(await sessions.listOfUser("they")).toEqual([theirs]);
  await sessions.remove("none");
  expect(await sessions.findById(theirs._id)).toEqual(theirs);
  await sessions.remove(theirs._id);
  expect(await sessions.findById(theirs._id)).toBeNull();
});

test("credentials: of their own partner, the newest first; changed only as they were read", async () => {
  const credentials = credentialRepository(mongo.connection);
  const aCredential = (given: Partial<Credential> = {}): Credential => ({
    _id: randomUUID(),
    partnerId: "p",
    clientId: "client",
    status: "Active",
    createdAt: NOW,
    revokedAt: null,
    certificates: [],
    recentFailures: [],
    version: 1,
    ...given,
  });
  const [old, young] = [aCredential({ status: "Revoked" }), aCredential({ createdAt: later(1) })];
  const theirs = aCredential({ partnerId: "q", clientId: "other", createdAt: later(2) });
  for (const each of [old, young, theirs]) await credentials.insert(each);
  const { recentFailures, ...facts } = young;
  expect(await credentials.findByClientId("client")).toEqual(facts);
  expect(await credentials.findOfPartner("p", theirs._id)).toBeNull();
  expect(await credentials.findOfPartner("p", young._id)).toEqual(young);
  const listed = await credentials.listOfPartner("p");
  expect([listed[0], idsOf(listed)]).toEqual([facts, [young._id, old._id]]);
  const revoked = several(49, () => aCredential({ status: "Revoked", createdAt: later(-1) }));
  await mongo.connection.collection<Credential>("api_credentials").insertMany(revoked);
  expect(await credentials.listOfPartner("p")).toHaveLength(50);

  const change = { status: "Revoked", revokedAt: NOW } as const;
  const changed = { ...young, ...change, version: 2 };
  expect(await credentials.replaceIfUnchanged(young, change)).toEqual(changed);
  expect(await credentials.replaceIfUnchanged(young, { status: "Active" })).toBeNull();
  const removedCertificates = [{ thumbprint: "t", at: NOW }];
  await credentials.replaceIfUnchanged(theirs, { removedCertificates, revokedAt: NOW });
  expect(await credentials.revokedSince(NOW)).toEqual([young._id]);
  expect(await credentials.revokedSince(later(1))).toEqual([]);
  expect(await credentials.certificatesRemovedSince(NOW)).toEqual([certificateId(theirs._id, "t")]);
  expect(await credentials.certificatesRemovedSince(later(1))).toEqual([]);

  const failure = (message: string) => ({ at: NOW, reason: "Expired", message, requestId: "r" });
  await credentials.addFailures(
    young._id,
    several(51, (index) => failure(`${index}`)),
  );
  const kept = await credentials.findOfPartner("p", young._id);
  expect(KEPT_FAILURES).toBe(50);
  expect(kept).toEqual({ ...changed, recentFailures: several(50, (index) => failure(`${index + 1}`)) });
  expect((await credentials.findOfPartner("p", old._id))?.recentFailures).toEqual([]);
});

test("wrong logins: a paused count stays as it is; one taken back pauses nobody", async () => {
  const throttles = loginThrottleRepository(mongo.connection);
  const policy = { freeTries: 3, firstPauseMs: 1_000, maxPauseMs: 8_000 };
  const now = NOW.getTime();
  const stored = () => mongo.connection.collection<LoginThrottle>("login_throttles").findOne({ _id: "me" });
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
  expect(await mongo.connection.collection("login_throttles").countDocuments()).toBe(2);
  await throttles.forget("other");
  expect(await stored()).not.toBeNull();
  await throttles.forget("me");
  expect(await stored()).toBeNull();
});

test("logins of a whole office at once are each counted once and none is refused", async () => {
  const throttles = loginThrottleRepository(mongo.connection);
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
  const throttles = loginThrottleRepository(mongo.connection);
  const stored = async () =>
    collectionOf(mongo.connection, COLLECTIONS.loginThrottles).findOne({ _id: "series" });
  let now = NOW.getTime();
  for (let tries = 1; tries <= 40; tries += 1) {
    expect(await throttles.countTry("series", THROTTLES.pair, now)).toEqual({ wait: 0, tries });
    const pause = pauseAfter(tries, THROTTLES.pair);
    expect(await stored()).toEqual({
      _id: "series",
      tries,
      blockedUntil: new Date(now + pause),
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

test("signing keys: one of an ordinal, the newest first; one sealed anew meanwhile stays", async () => {
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
  const keys = signingKeyRepository(mongo.connection);
  const aKey = (ordinal: number): SigningKeyRecord => ({
    _id: `key-${ordinal}`,
    ordinal,
    x: "x",
    sealedPrivateKey: "sealed",
    createdAt: NOW,
    signsFrom: NOW,
  });
  const [first, second, third] = [aKey(1), aKey(2), aKey(3)];
  for (const each of [first, third, second]) expect(await keys.insert(each)).toBe(true);
  expect(await keys.insert({ ...aKey(3), _id: "another" })).toBe(false);
  expect(await keys.list()).toEqual([third, second, first]);
  expect(await keys.pageAfter("key-1", 5)).toEqual([second, third]);
  expect(await keys.pageAfter("", 2)).toEqual([first, second]);
  const moves = [
    { before: second, sealedPrivateKey: "anew" },
    { before: { ...first, sealedPrivateKey: "read before" }, sealedPrivateKey: "late" },
  ];
  await keys.replaceSealed(moves);
  expect(await keys.list()).toEqual([third, { ...second, sealedPrivateKey: "anew" }, first]);
  await keys.remove(["key-1", "key-2"]);
  expect(await keys.list()).toEqual([third]);
});

test("an assertion: works once for its client, however many use it at once", async () => {
  const used = usedAssertionRepository(mongo.connection);
  const use = (clientId: string, jti: string) => used.use({ clientId, jti, expiresAt: later(HOUR_MS) });
  const answers = await Promise.all(several(5, () => use("a", "1")));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect([await use("a", "1"), await use("a", "2"), await use("b", "1")]).toEqual([false, true, true]);
  expect(await mongo.connection.collection("used_assertions").findOne()).toMatchObject({
    expiresAt: later(HOUR_MS),
  });
});

test("a budget: a tenth of what is left or what is wanted, never more than there is, and given back", async () => {
  const quotas = quotaRepository(mongo.connection);
  const lease = (want: number, given: { key?: string; window?: number } = {}) =>
    quotas.lease({ key: "k", window: 1, limit: 100, want, ...given });
  expect(await lease(1)).toEqual({ granted: 10, used: 10 });
  expect(await lease(19)).toEqual({ granted: 19, used: 29 });
  expect(await lease(1)).toEqual({ granted: 7, used: 36 });
  expect(await lease(-6)).toEqual({ granted: -6, used: 30 });
  expect(await lease(90)).toEqual({ granted: 70, used: 100 });
  expect(await lease(1)).toEqual({ granted: 0, used: 100 });
  expect(await quotas.lease({ key: "k", window: 1, limit: 50, want: 1 })).toEqual({ granted: 0, used: 100 });
  expect(await lease(-200)).toEqual({ granted: -100, used: 0 });
  expect(await lease(1, { key: "other" })).toEqual({ granted: 10, used: 10 });
  expect(await lease(0, { key: "in advance" })).toEqual({ granted: 10, used: 10 });
  expect(await lease(1, { window: 2 })).toEqual({ granted: 10, used: 10 });
  const all = await Promise.all(several(20, () => lease(9, { key: "at once" })));
  expect(all.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  const counters = mongo.connection.collection<{ _id: string }>("quota_counters");
  const counter = await counters.findOne({ _id: "k 1" }, { readConcern: { level: "local" } });
  expect(counter).toMatchObject({ expiresAt: new Date(180_000) });
  // Another has just made the counter.
  const collection = collectionOf(mongo.connection, COLLECTIONS.quotas);
  const write = jest.spyOn(collection, "findOneAndUpdate");
  const fault = (code: number) => Object.assign(new Error("refused"), { code });
  write.mockRejectedValueOnce(fault(11_000));
  expect(await lease(1, { key: "met" })).toEqual({ granted: 10, used: 10 });
  write.mockRejectedValueOnce(fault(1));
  await expect(lease(1, { key: "met" })).rejects.toThrow("refused");
  write.mockRestore();
});

test("the request log: of one partner, the newest first, for a week; what was dropped is added up by hour", async () => {
  const log = requestLogRepository(mongo.connection);
  const WEEK_MS = 7 * 24 * HOUR_MS;
  const aRequest = (_id: string, given: Partial<StoredRequest> = {}): StoredRequest => ({
    _id,
    partnerId: "p",
    at: NOW,
    method: "GET",
    route: "/",
    status: 200,
    code: null,
    fields: [],
    requestId: "r",
    durationMs: 1,
    ...given,
  });
  await log.insert([]);
  await log.insert([aRequest("1")]);
  await log.insert([
    aRequest("2", { isFailed: true, at: later(1) }),
    aRequest("3", { partnerId: "q" }),
    aRequest("4", { at: later(2) }),
  ]);
  const list = async (given: object = {}, now = NOW.getTime()) =>
    idsOf(await log.list({ partnerId: "p", isFailed: false, beforeId: null, limit: 10, ...given }, now));
  // Written with w: 1, so a majority read shows them a moment later.
  await waitFor(async () => (await list()).length === 3, { what: "the requests to be shown" });
  expect(await list()).toEqual(["4", "2", "1"]);
  expect(await list({ limit: 2 })).toEqual(["4", "2"]);
  expect(await list({ beforeId: "2" })).toEqual(["1"]);
  expect(await list({ isFailed: true })).toEqual(["2"]);
  expect(await list({}, NOW.getTime() + WEEK_MS)).toEqual(["4", "2", "1"]);
  expect(await list({}, NOW.getTime() + WEEK_MS + 1)).toEqual(["4", "2"]);

  const drop = (partnerId: string, count: number, at: Date) =>
    log.countDropped([{ partnerId, count }], at.getTime());
  await log.countDropped([], NOW.getTime());
  await drop("p", 2, later(HOUR_MS - 1));
  await drop("p", 3, NOW);
  await drop("p", 4, later(HOUR_MS));
  await drop("q", 5, NOW);
  await waitFor(async () => (await log.droppedOf("q", NOW.getTime())) === 5, { what: "the counts" });
  expect(await log.droppedOf("p", NOW.getTime())).toBe(9);
  expect(await log.droppedOf("p", NOW.getTime() + WEEK_MS)).toBe(9);
  expect(await log.droppedOf("p", NOW.getTime() + WEEK_MS + 1)).toBe(4);
  const dropped = mongo.connection.collection<{ _id: string }>("request_log_dropped");
  expect(await dropped.find().sort({ _id: 1 }).toArray()).toEqual(
    (
      [
        ["p", NOW, 5],
        ["p", later(HOUR_MS), 4],
        ["q", NOW, 5],
      ] as const
    ).map(([partnerId, at, count]) => ({
      ...{ _id: `${partnerId} ${at.toISOString()}`, partnerId, at, count },
    })),
  );
});
