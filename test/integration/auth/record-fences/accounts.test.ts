import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { Invitation } from "../../../../services/auth-token/account/invitation.model.ts";
import {
  invitationRepository,
  MAX_INVITATIONS,
} from "../../../../services/auth-token/account/invitation.repository.ts";
import type { Partner } from "../../../../services/auth-token/account/partner.model.ts";
import { partnerRepository } from "../../../../services/auth-token/account/partner.repository.ts";
import type { User } from "../../../../services/auth-token/account/user.model.ts";
import { userRepository } from "../../../../services/auth-token/account/user.repository.ts";
import { COLLECTIONS } from "../../../../services/auth-token/collections.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import { aUser } from "../../../support/builders/accounts.ts";
import { BEFORE, idsOf, later, NOW, several } from "../../../support/builders/records.ts";
import { fences } from "../../../support/fences.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";

const { connection } = databaseOfFile("auth-token");

const invitations = invitationRepository(connection);
const anInvitation = (given: Partial<Invitation> = {}): Invitation => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), email: `${randomUUID()}@acme.test` },
  ...{ tokenHash: randomUUID(), invitedBy: "owner@acme.test", inviterId: randomUUID() },
  ...{ role: "Viewer" as const, createdAt: NOW, expiresAt: later(1) },
  ...given,
});
const EXPIRED = { "it has expired": { expiresAt: NOW } };

fences(connection, COLLECTIONS.invitations, anInvitation, {
  find: { by: ["tokenHash"], unless: EXPIRED, call: ({ tokenHash }) => invitations.find(tokenHash, NOW) },
  list: { by: ["partnerId"], unless: EXPIRED, call: ({ partnerId }) => invitations.list(partnerId, NOW) },
  remove: { by: ["_id", "partnerId"], call: invitations.remove, becomes: null, once: true },
  removeOfEmail: { by: ["partnerId", "email"], call: invitations.removeOfEmail, becomes: null },
});

test("invitations: a team has at most 50", async () => {
  const many = several(MAX_INVITATIONS + 1, () => anInvitation({ partnerId: "large" }));
  await collectionOf(connection, COLLECTIONS.invitations).insertMany(many);
  expect(await invitations.list("large", NOW)).toHaveLength(50);
});

const users = userRepository(connection);
const FACTOR = { sealed: "sealed", since: NOW, usedUpTo: 7, recoveryHashes: ["a", "b"] };
const WITH_FACTOR = { given: { secondFactor: FACTOR } };
const PENDING = { given: { pendingSecondFactor: "sealed" } };
const ANOTHER_SECRET = { "another secret was set up": { pendingSecondFactor: "first" } };
const NEW_PASSWORD = { passwordHash: "newest", passwordChangedAt: later(1), credentialVersion: 1 };

fences(connection, COLLECTIONS.users, aUser, {
  findById: { call: ({ _id }) => users.findById(_id) },
  findByEmail: { by: ["email"], call: ({ email }) => users.findByEmail(email) },
  list: { by: ["partnerId"], call: async ({ partnerId }) => idsOf(await users.list(String(partnerId))) },
  hasOtherOwner: {
    by: ["partnerId"],
    unless: {
      "it may not sign in": { disabledAt: NOW },
      "it is a Viewer": { role: "Viewer" },
      "it is the person who asks": { _id: "me" },
    },
    call: ({ partnerId }) => users.hasOtherOwner(String(partnerId), "me"),
  },
  useStep: {
    ...WITH_FACTOR,
    once: true,
    unless: {
      "the step was used": { secondFactor: { ...FACTOR, usedUpTo: 8 } },
      "a later step was used": { secondFactor: { ...FACTOR, usedUpTo: 9 } },
    },
    call: ({ _id }) => users.useStep(_id, 8),
    becomes: { secondFactor: { ...FACTOR, usedUpTo: 8 } },
  },
  useRecoveryCode: {
    ...WITH_FACTOR,
    once: true,
    unless: { "it has other codes": { secondFactor: { ...FACTOR, recoveryHashes: ["b"] } } },
    call: ({ _id }) => users.useRecoveryCode(_id, "a"),
    becomes: { secondFactor: { ...FACTOR, recoveryHashes: ["b"] } },
  },
  beginSecondFactor: {
    given: { pendingSecondFactor: "first" },
    call: ({ _id }) => users.beginSecondFactor(_id, "sealed"),
    becomes: PENDING.given,
  },
  confirmSecondFactor: {
    ...PENDING,
    unless: ANOTHER_SECRET,
    once: true,
    call: ({ _id }) => users.confirmSecondFactor(_id, FACTOR),
    becomes: { secondFactor: FACTOR, pendingSecondFactor: null, credentialVersion: 1 },
  },
  removeSecondFactor: {
    given: { ...PENDING.given, secondFactor: FACTOR, credentialVersion: 1 },
    call: ({ _id }) => users.removeSecondFactor(_id),
    becomes: { secondFactor: null, pendingSecondFactor: null, credentialVersion: 2 },
  },
  replaceSealed: {
    ...PENDING,
    unless: ANOTHER_SECRET,
    call: ({ _id: userId }) => {
      const after = { pendingSecondFactor: "anew" };
      return users.replaceSealed([{ userId, before: { pendingSecondFactor: "sealed" }, after }]);
    },
    becomes: { pendingSecondFactor: "anew" },
  },
  setLead: { call: ({ _id }) => users.setLead(_id, true), becomes: { isLead: true } },
  rememberAddress: {
    unless: { "it has the address": { knownAddresses: ["a"] } },
    once: true,
    call: ({ _id }) => users.rememberAddress(_id, "a"),
    becomes: { knownAddresses: ["a"] },
  },
  setPassword: {
    call: ({ _id }) => users.setPassword(_id, "newest", later(1)),
    becomes: NEW_PASSWORD,
  },
  replacePassword: {
    by: ["_id", "credentialVersion"],
    once: true,
    call: (read) => users.replacePassword(read, "newest", later(1)),
    becomes: NEW_PASSWORD,
  },
  rehash: {
    by: ["_id", "passwordHash"],
    call: (read) => users.rehash(read, "newer form"),
    becomes: { passwordHash: "newer form" },
    once: true,
  },
});

describe("people", () => {
  const stored = collectionOf(connection, COLLECTIONS.users);
  async function insert(given: Partial<User> = {}): Promise<User> {
    const user = aUser(given);
    await users.insert(user);
    return user;
  }

  test("the last ten addresses are known, each once", async () => {
    const { _id } = await insert();
    for (const address of [0, 0, ...several(11, (index) => index)])
      await users.rememberAddress(_id, `${address}`);
    const knownAddresses = several(10, (index) => `${index + 1}`);
    expect(await users.findById(_id)).toMatchObject({ knownAddresses });
  });

  test("a team: its own people, the newest first, without what only a login needs", async () => {
    const old = await insert({ knownAddresses: ["a"], secondFactor: FACTOR, pendingSecondFactor: "s" });
    const { partnerId } = old;
    const young = await insert({ partnerId, createdAt: later(1) });
    const team = await users.list(String(partnerId));
    expect(idsOf(team)).toEqual([young._id, old._id]);
    const { passwordHash, knownAddresses, secondFactor, pendingSecondFactor, ...facts } = old;
    expect(team[1]).toEqual(facts);
    expect((await users.listAll()).length).toBeGreaterThan(2);
    await expect(users.list("")).rejects.toMatchObject({ type: "Partner.NotFound" });
    await stored.insertMany(several(1_001, () => aUser({ partnerId: "large" })));
    expect(await users.list("large")).toHaveLength(1_000);
  });

  test("with a second factor, also an unconfirmed one: found page by page", async () => {
    await stored.deleteMany({});
    await insert({ _id: "person-0", secondFactor: FACTOR });
    await insert({ _id: "person-1" });
    await insert({ _id: "person-2", pendingSecondFactor: "sealed" });
    const page = async (after: string, limit: number) => idsOf(await users.pageWithFactor(after, limit));
    expect([await page("", 1), await page("person-0", 5)]).toEqual([["person-0"], ["person-2"]]);
    expect(await page("", 5)).toEqual(["person-0", "person-2"]);
  });
});

const partners = partnerRepository(connection);
const aPartner = (given: Partial<Partner> = {}): Partner => ({
  ...{ _id: randomUUID(), name: "Acme", clientId: randomUUID(), active: true, onboardingApproved: false },
  ...{ createdAt: NOW, deactivatedAt: null },
  ...given,
});
const UNREPORTED = { unreportedTo: ["webhook-registry", "document"] } satisfies Partial<Partner>;
const INACTIVE = { active: false, deactivatedAt: NOW, standingChangedAt: NOW, ...UNREPORTED };
const ACTIVE = { active: true, deactivatedAt: null, standingChangedAt: NOW, ...UNREPORTED };

fences(connection, COLLECTIONS.partners, aPartner, {
  findById: { call: ({ _id }) => partners.findById(_id) },
  findSandboxOf: {
    by: ["testOf"],
    given: { testOf: "live" },
    others: { testOf: "another" },
    call: ({ testOf }) => partners.findSandboxOf(String(testOf)),
  },
  findWithSandbox: { call: ({ _id }) => partners.findWithSandbox(_id) },
  namesOf: {
    given: { name: "One" },
    call: ({ _id }) => partners.namesOf([_id, "nobody"]),
    answers: ({ _id }) => [{ _id, name: "One" }],
  },
  deactivate: { call: ({ _id }) => partners.setActive(_id, false, NOW), becomes: INACTIVE },
  activate: {
    given: { active: false, deactivatedAt: BEFORE },
    call: ({ _id }) => partners.setActive(_id, true, NOW),
    becomes: ACTIVE,
  },
  noteSandbox: {
    call: ({ _id }) => partners.noteSandbox(_id, NOW),
    becomes: { sandboxSince: NOW },
  },
  countOwnerChange: {
    given: { ownerChanges: 1 },
    call: ({ _id }) => partners.countOwnerChange(_id),
    becomes: { ownerChanges: 2 },
  },
  approve: { call: ({ _id }) => partners.approve(_id), becomes: { onboardingApproved: true } },
  setScopes: {
    call: ({ _id }) => partners.setScopes(_id, ["partner.read"]),
    becomes: { scopes: ["partner.read"] },
  },
  findUnreported: {
    by: [],
    given: { unreportedTo: ["document"] },
    others: {},
    unless: { "it is reported": { unreportedTo: [] } },
    call: () => partners.findUnreported(1),
  },
  markReported: {
    by: ["_id", "active", "standingChangedAt"],
    given: INACTIVE,
    call: (read) => partners.markReported(read, "document"),
    becomes: { unreportedTo: ["webhook-registry"] },
  },
  deactivatedSince: {
    by: [],
    given: INACTIVE,
    others: {},
    unless: { "it was before": { deactivatedAt: BEFORE }, "it is active again": ACTIVE },
    call: () => partners.deactivatedSince(NOW),
  },
});

describe("partners", () => {
  const stored = collectionOf(connection, COLLECTIONS.partners);

  test("made inactive: with its test twin; not reported at most as many as asked for", async () => {
    await stored.deleteMany({});
    const live = aPartner();
    const twin = aPartner({ testOf: live._id });
    for (const each of [live, twin]) await partners.insert(each);
    await partners.setActive(live._id, false, NOW);
    expect(await partners.findSandboxOf(live._id)).toEqual({ ...twin, ...INACTIVE });
    const both = [live._id, twin._id].sort();
    expect(idsOf(await partners.findWithSandbox(live._id)).sort()).toEqual(both);
    expect((await partners.deactivatedSince(NOW)).sort()).toEqual(both);
    expect(await partners.findUnreported(1)).toHaveLength(1);
  });

  test("a list is of the newest thousand, names are of a thousand", async () => {
    const many = several(1_001, () => aPartner());
    const newest = aPartner({ createdAt: later(1) });
    await stored.insertMany([...many, newest]);
    const listed = await partners.list();
    expect([listed.length, listed[0]]).toEqual([1_000, newest]);
    expect(await partners.namesOf(idsOf(many))).toHaveLength(1_000);
  });
});
