import { randomUUID } from "node:crypto";
import { expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/auth-token/collections.ts";
import type { Credential } from "../../../../services/auth-token/credential/credential.model.ts";
import {
  credentialRepository,
  KEPT_FAILURES,
} from "../../../../services/auth-token/credential/credential.repository.ts";
import { quotaRepository } from "../../../../services/auth-token/token/quota.repository.ts";
import { signingKeyRepository } from "../../../../services/auth-token/token/signing-key.repository.ts";
import type { SigningKeyRecord } from "../../../../services/auth-token/token/signing-key.rules.ts";
import { usedAssertionRepository } from "../../../../services/auth-token/token/used-assertion.repository.ts";
import { certificateId } from "../../../../shared/identity/token-id.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import { BEFORE, HOUR_MS, idsOf, later, NOW, several } from "../../../support/builders/records.ts";
import { fences } from "../../../support/fences.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";

// The expiry of the other collections would remove these records of the past.
const { signingKeys } = COLLECTIONS;
const { connection } = databaseOfFile("auth-token", { signingKeys });

const credentials = credentialRepository(connection);
const aCredential = (given: Partial<Credential> = {}): Credential => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), clientId: randomUUID(), status: "Active" as const },
  ...{ createdAt: NOW, revokedAt: null, certificates: [], recentFailures: [], version: 1 },
  ...given,
});
const facts = ({ recentFailures: _, ...rest }: Credential) => rest;
const REVOKED = { status: "Revoked", revokedAt: NOW } as const;
const aFailure = (message: string) => ({ at: NOW, reason: "Expired", message, requestId: "r" });
const removedAt = (at: Date) => ({ removedCertificates: [{ thumbprint: "t", at }] });

fences(connection, COLLECTIONS.credentials, aCredential, {
  findByClientId: { by: ["clientId"], call: ({ clientId }) => credentials.findByClientId(clientId) },
  findOfPartner: {
    by: ["_id", "partnerId"],
    call: ({ _id, partnerId }) => credentials.findOfPartner(partnerId, _id),
    answers: (read) => read,
  },
  listOfPartner: { by: ["partnerId"], call: ({ partnerId }) => credentials.listOfPartner(partnerId) },
  replaceIfUnchanged: {
    by: ["_id", "version"],
    once: true,
    call: (read) => credentials.replaceIfUnchanged(read, REVOKED),
    becomes: { ...REVOKED, version: 2 },
  },
  revokedSince: {
    by: [],
    given: REVOKED,
    others: {},
    unless: { "it was before": { revokedAt: BEFORE }, "it is active": { status: "Active" } },
    call: () => credentials.revokedSince(NOW),
  },
  certificatesRemovedSince: {
    by: [],
    given: removedAt(NOW),
    others: {},
    unless: { "it was before": removedAt(BEFORE) },
    call: () => credentials.certificatesRemovedSince(NOW),
    answers: ({ _id }) => [certificateId(_id, "t")],
  },
  addFailures: {
    call: ({ _id }) => credentials.addFailures([{ credentialId: _id, failure: aFailure("1") }]),
    becomes: { recentFailures: [aFailure("1")] },
  },
});

test("credentials: the newest 50 are listed, the newest is in force, and it keeps its latest failures", async () => {
  const [old, young] = [aCredential(REVOKED), aCredential({ createdAt: later(1) })];
  const { partnerId, clientId } = young;
  for (const each of [old, young]) await credentials.insert({ ...each, partnerId, clientId });
  expect(await credentials.findByClientId(clientId)).toEqual(facts(young));
  expect(idsOf(await credentials.listOfPartner(partnerId))).toEqual([young._id, old._id]);
  const revoked = several(49, () => aCredential({ ...REVOKED, partnerId, createdAt: later(-1) }));
  await collectionOf(connection, COLLECTIONS.credentials).insertMany(revoked);
  expect(await credentials.listOfPartner(partnerId)).toHaveLength(50);
  const failures = several(51, (index) => aFailure(`${index}`));
  await credentials.addFailures(failures.map((failure) => ({ credentialId: young._id, failure })));
  expect(KEPT_FAILURES).toBe(50);
  const kept = await credentials.findOfPartner(partnerId, young._id);
  expect(kept).toEqual({ ...young, recentFailures: failures.slice(1) });
});

const keys = signingKeyRepository(connection);
let ordinal = 0;
const aKey = (given: Partial<SigningKeyRecord> = {}): SigningKeyRecord => {
  ordinal += 1;
  const times = { createdAt: NOW, signsFrom: NOW };
  return { _id: `key-${ordinal}`, ordinal, x: "x", sealedPrivateKey: "sealed", ...times, ...given };
};

fences(connection, signingKeys, aKey, {
  replaceSealed: {
    by: ["_id", "sealedPrivateKey"],
    call: (before) => keys.replaceSealed([{ before, sealedPrivateKey: "anew" }]),
    becomes: { sealedPrivateKey: "anew" },
  },
  remove: { call: ({ _id }) => keys.remove([_id]), becomes: null },
});

test("signing keys: each ordinal once, listed the newest first, moved page by page", async () => {
  await collectionOf(connection, signingKeys).deleteMany({});
  const [first, second, third] = [1, 2, 3].map((no) => aKey({ _id: `key-${no}`, ordinal: no })) as [
    ...[SigningKeyRecord, SigningKeyRecord, SigningKeyRecord],
  ];
  for (const each of [first, third, second]) expect(await keys.insert(each)).toBe(true);
  expect(await keys.insert({ ...third, _id: "another" })).toBe(false);
  expect(await keys.list()).toEqual([third, second, first]);
  expect(await keys.pageAfter("key-1", 5)).toEqual([second, third]);
  expect(await keys.pageAfter("", 2)).toEqual([first, second]);
});

test("an assertion: works once for its client, however many use it at once", async () => {
  const used = usedAssertionRepository(connection);
  const use = (clientId: string, jti: string) => used.use({ clientId, jti, expiresAt: later(HOUR_MS) });
  const answers = await Promise.all(several(5, () => use("a", "1")));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect([await use("a", "1"), await use("a", "2"), await use("b", "1")]).toEqual([false, true, true]);
  expect(await connection.collection("used_assertions").findOne()).toMatchObject({
    expiresAt: later(HOUR_MS),
  });
});

test("a budget: a tenth of what is left or what is wanted, never more than there is, and given back", async () => {
  const quotas = quotaRepository(connection);
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
  const counters = connection.collection<{ _id: string }>("quota_counters");
  const counter = await counters.findOne({ _id: "k 1" }, { readConcern: { level: "local" } });
  expect(counter).toMatchObject({ expiresAt: new Date(180_000) });
  // Another has just made the counter.
  const collection = collectionOf(connection, COLLECTIONS.quotas);
  const write = jest.spyOn(collection, "findOneAndUpdate");
  const fault = (code: number) => Object.assign(new Error("refused"), { code });
  write.mockRejectedValueOnce(fault(11_000));
  expect(await lease(1, { key: "met" })).toEqual({ granted: 10, used: 10 });
  write.mockRejectedValueOnce(fault(1));
  await expect(lease(1, { key: "met" })).rejects.toThrow("refused");
  write.mockRestore();
});
