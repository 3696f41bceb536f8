/** Whose invitations, people and partners are found and changed, and what a late or second write does: the guarantee is in the queries. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Invitation } from "../../../services/auth-token/account/invitation.model.ts";
import {
  invitationRepository,
  MAX_INVITATIONS,
} from "../../../services/auth-token/account/invitation.repository.ts";
import type { Partner } from "../../../services/auth-token/account/partner.model.ts";
import { partnerRepository } from "../../../services/auth-token/account/partner.repository.ts";
import type { SecondFactor, User } from "../../../services/auth-token/account/user.model.ts";
import { userRepository } from "../../../services/auth-token/account/user.repository.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

let mongo: Mongo;
beforeAll(async () => {
  mongo = await openTestDatabase("auth-token");
});
afterAll(() => mongo.close());

describe("an invitation", () => {
  const invitations = () => invitationRepository(mongo.connection);
  const anInvitation = (given: Partial<Invitation> = {}): Invitation => ({
    _id: randomUUID(),
    partnerId: randomUUID(),
    email: `${randomUUID()}@acme.test`,
    role: "Viewer",
    tokenHash: randomUUID(),
    invitedBy: "owner@acme.test",
    inviterId: randomUUID(),
    createdAt: NOW,
    expiresAt: later(1),
    ...given,
  });

  test("an invitation of another team is neither found, replaced by the same email, nor withdrawn", async () => {
    const theirs = anInvitation();
    const ours = anInvitation({ email: theirs.email });
    await invitations().insert(theirs);
    await invitations().removeOfEmail(ours);
    expect(await invitations().remove({ ...theirs, partnerId: ours.partnerId })).toBe(false);
    expect(await invitations().list(ours.partnerId, NOW)).toEqual([]);
    expect(await invitations().list(theirs.partnerId, NOW)).toEqual([theirs]);
  });

  test("a team replaces only the invitation of that email and withdraws only the one of that id", async () => {
    const [first, second] = [anInvitation(), anInvitation()];
    const { partnerId } = first;
    for (const each of [first, { ...second, partnerId }]) await invitations().insert(each);
    await invitations().removeOfEmail({ partnerId, email: second.email });
    expect(idsOf(await invitations().list(partnerId, NOW))).toEqual([first._id]);
    expect(await invitations().remove({ _id: second._id, partnerId })).toBe(false);
    expect(await invitations().remove(first)).toBe(true);
    expect(await invitations().list(partnerId, NOW)).toEqual([]);
  });

  test("is found by its own link until the moment it ends, and a team has no more than it may", async () => {
    const [one, other] = [anInvitation(), anInvitation()];
    const { partnerId, tokenHash } = one;
    for (const each of [one, other]) await invitations().insert(each);
    expect(await invitations().find(tokenHash, NOW)).toEqual(one);
    expect(await invitations().find(other.tokenHash, NOW)).toEqual(other);
    expect(await invitations().find(tokenHash, one.expiresAt)).toBeNull();
    expect(await invitations().list(partnerId, one.expiresAt)).toEqual([]);
    const many = several(MAX_INVITATIONS, () => anInvitation({ partnerId }));
    await mongo.connection.collection<Invitation>("invitations").insertMany(many);
    expect(MAX_INVITATIONS).toBe(50);
    expect(await invitations().list(partnerId, NOW)).toHaveLength(50);
  });
});

describe("a person", () => {
  const users = () => userRepository(mongo.connection);
  const FACTOR: SecondFactor = { sealed: "sealed", since: NOW, usedUpTo: 7, recoveryHashes: ["a", "b"] };
  const aUser = (given: Partial<User> = {}): User => ({
    _id: randomUUID(),
    email: `${randomUUID()}@acme.test`,
    role: "Owner",
    partnerId: randomUUID(),
    passwordHash: "hash",
    createdAt: NOW,
    passwordChangedAt: NOW,
    credentialVersion: 0,
    knownAddresses: [],
    disabledAt: null,
    secondFactor: null,
    pendingSecondFactor: null,
    ...given,
  });
  async function stored(given: Partial<User> = {}): Promise<User> {
    const user = aUser(given);
    await users().insert(user);
    return user;
  }

  test("a code: counts for a later step than the last one, for that person only", async () => {
    const [one, other] = [await stored({ secondFactor: FACTOR }), await stored({ secondFactor: FACTOR })];
    expect([await users().useStep(one._id, 6), await users().useStep(one._id, 7)]).toEqual([false, false]);
    expect(await users().useStep(one._id, 8)).toBe(true);
    expect(await users().useStep(one._id, 8)).toBe(false);
    expect(await users().findById(one._id)).toEqual({ ...one, secondFactor: { ...FACTOR, usedUpTo: 8 } });
    expect(await users().findById(other._id)).toEqual(other);
  });

  test("a recovery code: is used up by its person and leaves the others", async () => {
    const [one, other] = [await stored({ secondFactor: FACTOR }), await stored({ secondFactor: FACTOR })];
    expect(await users().useRecoveryCode(one._id, "c")).toBe(false);
    expect(await users().useRecoveryCode(one._id, "a")).toBe(true);
    expect(await users().useRecoveryCode(one._id, "a")).toBe(false);
    const left = { ...FACTOR, recoveryHashes: ["b"] };
    expect(await users().findById(one._id)).toEqual({ ...one, secondFactor: left });
    expect(await users().findById(other._id)).toEqual(other);
  });

  test("a second factor: is the one set up last, and nothing of it is left when it is removed", async () => {
    const [one, other] = [await stored(), await stored({ pendingSecondFactor: "sealed" })];
    await users().beginSecondFactor(one._id, "first");
    await users().beginSecondFactor(one._id, "sealed");
    expect(await users().confirmSecondFactor(one._id, { ...FACTOR, sealed: "first" })).toBeNull();
    expect(await users().findById(one._id)).toEqual({ ...one, pendingSecondFactor: "sealed" });
    expect(await users().confirmSecondFactor(one._id, FACTOR)).toBe(1);
    const confirmed = { ...one, secondFactor: FACTOR, credentialVersion: 1 };
    expect(await users().findById(one._id)).toEqual(confirmed);
    await users().beginSecondFactor(one._id, "another");
    expect(await users().removeSecondFactor(one._id)).toBe(2);
    expect(await users().findById(one._id)).toEqual({ ...one, credentialVersion: 2 });
    expect(await users().findById(other._id)).toEqual(other);
  });

  test("is found by email; a lead is who was made one, and nobody else", async () => {
    const [one, other] = [await stored(), await stored()];
    expect(await users().findByEmail(other.email)).toEqual(other);
    expect(await users().findByEmail("nobody@acme.test")).toBeNull();
    for (const isLead of [true, false]) {
      await users().setLead(other._id, isLead);
      expect(await users().findById(other._id)).toEqual({ ...other, isLead });
    }
    expect(await users().findById(one._id)).toEqual(one);
  });

  test("the last ten addresses are known, each once", async () => {
    const [{ _id }, other] = [await stored(), await stored()];
    for (const address of [0, 0, ...several(11, (index) => index)])
      await users().rememberAddress(_id, `${address}`);
    expect(await users().findById(_id)).toMatchObject({
      knownAddresses: several(10, (index) => `${index + 1}`),
    });
    expect(await users().findById(other._id)).toEqual(other);
  });

  test("a password that was changed meanwhile is not replaced by the old one in a newer form", async () => {
    const [read, other] = [await stored(), await stored()];
    await users().rehash(read, "newer form");
    expect(await users().findById(read._id)).toEqual({ ...read, passwordHash: "newer form" });
    await users().setPassword(read._id, "another", later(1));
    await users().rehash(read, "newer form");
    const changed = { ...read, passwordHash: "another", passwordChangedAt: later(1), credentialVersion: 1 };
    expect(await users().findById(read._id)).toEqual(changed);
    expect(await users().replacePassword(read, "of a late one", later(2))).toBeNull();
    expect(await users().findById(read._id)).toEqual(changed);
    expect(await users().replacePassword(changed, "of a right one", later(2))).toBe(2);
    expect(await users().findById(other._id)).toEqual(other);
  });

  test("a team: its own people, the newest first, without what only a login needs", async () => {
    const old = await stored({ knownAddresses: ["a"], secondFactor: FACTOR, pendingSecondFactor: "s" });
    const { partnerId } = old;
    const young = await stored({ partnerId, createdAt: later(1) });
    await stored();
    const team = await users().list(String(partnerId));
    expect(idsOf(team)).toEqual([young._id, old._id]);
    const { passwordHash, knownAddresses, secondFactor, pendingSecondFactor, ...facts } = old;
    expect(team[1]).toEqual(facts);
    expect((await users().listAll()).length).toBeGreaterThan(2);
    await expect(users().list("")).rejects.toMatchObject({ type: "Partner.NotFound" });
    await mongo.connection
      .collection<User>("users")
      .insertMany(several(1_001, () => aUser({ partnerId: "large" })));
    expect(await users().list("large")).toHaveLength(1_000);
  });

  test("another Owner is one of the same team who may sign in", async () => {
    const { _id, partnerId } = await stored();
    const hasOther = () => users().hasOtherOwner(String(partnerId), _id);
    await stored();
    await stored({ partnerId, role: "Viewer" });
    const other = await stored({ partnerId, disabledAt: NOW });
    expect(await hasOther()).toBe(false);
    await users().setDisabled(other._id, null);
    expect(await hasOther()).toBe(true);
    await users().setRole(other._id, "Developer");
    expect(await hasOther()).toBe(false);
  });

  test("sealed secrets: those with one are found page by page; one that changed meanwhile stays", async () => {
    await mongo.connection.collection<User>("users").deleteMany({});
    const people = several(3, (index) => `person-${index}`);
    await stored({ _id: "person-0", secondFactor: FACTOR });
    await stored({ _id: "person-1" });
    await stored({ _id: "person-2", pendingSecondFactor: "sealed" });
    expect(idsOf(await users().pageWithFactor("", 1))).toEqual(["person-0"]);
    expect(idsOf(await users().pageWithFactor("person-0", 5))).toEqual(["person-2"]);
    expect(idsOf(await users().pageWithFactor("", 5))).toEqual(["person-0", "person-2"]);
    const moves = people.map((userId) => ({
      userId,
      before: { pendingSecondFactor: "sealed" },
      after: { pendingSecondFactor: "anew" },
    }));
    await users().replaceSealed(moves);
    const pending = (await Promise.all(people.map((id) => users().findById(id)))).map(
      (user) => user?.pendingSecondFactor,
    );
    expect(pending).toEqual([null, null, "anew"]);
  });
});

describe("a partner", () => {
  const partners = () => partnerRepository(mongo.connection);
  const aPartner = (given: Partial<Partner> = {}): Partner => ({
    _id: randomUUID(),
    name: "Acme",
    clientId: randomUUID(),
    active: true,
    onboardingApproved: false,
    createdAt: NOW,
    deactivatedAt: null,
    ...given,
  });
  async function stored(given: Partial<Partner> = {}): Promise<Partner> {
    const partner = aPartner(given);
    await partners().insert(partner);
    return partner;
  }
  const untold = async () => idsOf(await partners().findUntold(100));

  test("made inactive and active: with its test twin, and nobody else", async () => {
    const live = await stored();
    const [twin, other] = [await stored({ testOf: live._id }), await stored()];
    const inactive = {
      active: false,
      deactivatedAt: NOW,
      standingChangedAt: NOW,
      untold: ["webhook-registry", "document"],
    };
    expect(await partners().setActive(live._id, false, NOW)).toEqual({ ...live, ...inactive });
    expect(await partners().findSandboxOf(live._id)).toEqual({ ...twin, ...inactive });
    expect(idsOf(await partners().findWithSandbox(live._id)).sort()).toEqual([live._id, twin._id].sort());
    expect((await partners().deactivatedSince(NOW)).sort()).toEqual([live._id, twin._id].sort());
    expect(await partners().deactivatedSince(later(1))).toEqual([]);
    const again = { ...live, ...inactive, active: true, deactivatedAt: null, standingChangedAt: later(1) };
    expect(await partners().setActive(live._id, true, later(1))).toEqual(again);
    expect(await partners().deactivatedSince(NOW)).toEqual([]);
    expect(await partners().findById(other._id)).toEqual(other);
  });

  test("a change of standing is reported to each service once, and again after the next change", async () => {
    await mongo.connection.collection("partners").deleteMany({});
    const { _id } = await stored();
    expect(await untold()).toEqual([]);
    const read = await partners().setActive(_id, false, NOW);
    if (!read) throw new Error("no partner");
    await partners().markTold(read, "document");
    expect(await partners().findById(_id)).toMatchObject({ untold: ["webhook-registry"] });
    expect(await untold()).toEqual([_id]);
    for (const [active, at] of [
      [true, NOW],
      [false, later(1)],
    ] as const) {
      await partners().setActive(_id, active, at);
      await partners().markTold(read, "webhook-registry");
      expect(await partners().findById(_id)).toMatchObject({ untold: ["webhook-registry", "document"] });
    }
    const other = await stored();
    const readOther = await partners().setActive(other._id, false, NOW);
    if (!readOther) throw new Error("no partner");
    await partners().setActive(_id, false, NOW);
    await partners().markTold(read, "document");
    expect(await partners().findById(other._id)).toMatchObject({ untold: ["webhook-registry", "document"] });
    await partners().markTold(readOther, "webhook-registry");
    expect(await partners().findById(_id)).toMatchObject({ untold: ["webhook-registry"] });
  });

  test("partners with an unreported standing: at most as many as asked for", async () => {
    await stored({ untold: ["document"] });
    await stored({ untold: ["document"] });
    expect(await partners().findUntold(1)).toHaveLength(1);
  });

  test("its own changes: what was said, of nobody else", async () => {
    const [one, other] = [await stored(), await stored()];
    const { _id } = one;
    expect(await partners().noteSandbox(_id, NOW)).toEqual(one);
    await partners().countOwnerChange(_id);
    await partners().countOwnerChange(_id);
    expect(await partners().approve(_id)).toMatchObject({ onboardingApproved: true });
    const changed = { ...one, sandboxSince: NOW, ownerChanges: 2, onboardingApproved: true };
    expect(await partners().setScopes(_id, ["partner.read"])).toEqual({
      ...changed,
      scopes: ["partner.read"],
    });
    expect(await partners().findById(other._id)).toEqual(other);
  });

  test("names are of the ids that were asked for; a list is of the newest thousand", async () => {
    const [one, other] = [await stored({ name: "One" }), await stored({ createdAt: later(1) })];
    expect(await partners().namesOf([one._id, "nobody"])).toEqual([{ _id: one._id, name: "One" }]);
    expect(idsOf(await partners().list()).slice(0, 2)).toEqual([other._id, expect.any(String)]);
    const many = several(1_001, () => aPartner());
    await mongo.connection.collection<Partner>("partners").insertMany(many);
    expect(await partners().list()).toHaveLength(1_000);
    expect(await partners().namesOf(idsOf(many))).toHaveLength(1_000);
  });
});
