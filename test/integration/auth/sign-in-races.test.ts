/** Credentials change while a sign-in is under way: a session that was checked with the former ones counts for nothing. */
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { User } from "../../../services/auth-token/account/user.model.ts";
import { createStores, type Deps } from "../../../services/auth-token/deps.ts";
import { changeOwnPassword, resetPassword } from "../../../services/auth-token/session/change-password.ts";
import { changeRole, endSessions, setDisabled } from "../../../services/auth-token/session/change-person.ts";
import { checkSession } from "../../../services/auth-token/session/check-session.ts";
import { login } from "../../../services/auth-token/session/login.ts";
import { endOtherSessions, listSessions } from "../../../services/auth-token/session/own-sessions.ts";
import { createKeyedMutex } from "../../../shared/keyed-mutex.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { auditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import { aUser } from "../../support/builders/accounts.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const NEW_PASSWORD = "tulip sandwich gravel";
const ADDRESS = "198.51.100.7";

const mongo = databaseOfFile("auth-token");

const clock = { now: () => Date.now() };
/** Each password is right, once the work of another request in the meantime is done. */
const depsWith = (meanwhile: () => Promise<unknown> = async () => undefined, newHash = "another hash") =>
  ({
    ...createStores({ mongo }),
    clock,
    cipher: createFieldCipher([{ id: "k1", key: randomBytes(32) }]),
    config: { secondFactorFor: "none" },
    audit: auditTrail(mongo.connection, { service: "auth-token", clock, keys: [], retentionDays: 30 }),
    mutex: createKeyedMutex(),
    commonPasswords: new Set<string>(),
    hasher: {
      hash: async () => newHash,
      async verify() {
        await meanwhile();
        return true;
      },
      isOutdated: () => false,
    },
  }) as unknown as Deps;

async function aPerson(given: Partial<User> = { role: "Analyst", partnerId: null }): Promise<User> {
  const user = aUser(given);
  await depsWith().users.insert(user);
  return user;
}

const attemptOf = ({ email }: User) => ({
  email,
  password: "p",
  code: null,
  address: ADDRESS,
  formerSessionId: null,
  userAgent: null,
});
const signIn = async (user: User, meanwhile?: () => Promise<unknown>) =>
  (await login(depsWith(meanwhile), {}, attemptOf(user))).session._id;
const isOpen = async (sessionId: string) => (await checkSession(depsWith(), sessionId)) !== null;

const FACTOR = { sealed: "sealed", since: new Date(), usedUpTo: 0, recoveryHashes: [] };
const changes: [string, (user: User) => Promise<unknown>][] = [
  ["the password is reset", (user) => resetPassword(depsWith(), user, NEW_PASSWORD)],
  [
    "a second factor is confirmed",
    async ({ _id }) => {
      const { users } = depsWith();
      await users.beginSecondFactor(_id, FACTOR.sealed);
      await users.confirmSecondFactor(_id, FACTOR);
    },
  ],
  ["a second factor is removed", ({ _id }) => depsWith().users.removeSecondFactor(_id)],
  ["all sessions are ended", (user) => endSessions(depsWith(), user)],
  [
    "the other sessions are ended",
    ({ _id }) => endOtherSessions(depsWith(), { userId: _id, sessionId: "s" }),
  ],
  [
    "the person is disabled and enabled",
    async (user) => {
      await setDisabled(depsWith(), user, true);
      await setDisabled(depsWith(), user, false);
    },
  ],
];

describe("between the check of the password and the session", () => {
  test("nothing happens: the session is open", async () => {
    expect(await isOpen(await signIn(await aPerson()))).toBe(true);
  });

  test.each(changes)("%s: the session counts for nothing, and the next one is open", async (_, change) => {
    const user = await aPerson();
    const late = await signIn(user, () => change(user));
    expect(await isOpen(late)).toBe(false);
    const { users } = depsWith();
    const read = await users.findById(user._id);
    expect(await listSessions(depsWith(), read ?? user, late)).toEqual([]);
    await users.removeSecondFactor(user._id);
    expect(await isOpen(await signIn(user))).toBe(true);
  });

  test("the role is changed: that session is closed, and one that was open goes on with the new role", async () => {
    const partnerId = randomUUID();
    await mongo.connection
      .collection<{ _id: string; name: string; clientId: string; active: boolean }>("partners")
      .insertOne({ _id: partnerId, name: "Acme", clientId: partnerId, active: true });
    const user = await aPerson({ role: "Owner", partnerId });
    const open = await signIn(user);
    const late = await signIn(user, () => changeRole(depsWith(), user, "Viewer"));
    expect(await isOpen(late)).toBe(false);
    expect(await checkSession(depsWith(), open)).toMatchObject({ role: "Viewer" });
    // A session that ended before does not come back with a later change.
    await changeRole(depsWith(), user, "Developer");
    expect([await isOpen(late), await isOpen(open)]).toEqual([false, true]);
  });
});

test("ending the other sessions: the own one goes on, a session that ended before stays ended", async () => {
  const user = await aPerson();
  const late = await signIn(user, () => endSessions(depsWith(), user));
  const [own, other] = [await signIn(user), await signIn(user)];
  expect(await endOtherSessions(depsWith(), { userId: user._id, sessionId: own })).toBe(2);
  expect([await isOpen(own), await isOpen(other), await isOpen(late)]).toEqual([true, false, false]);
});

test("the password is reset while the person changes it: the reset stays, and no session opens", async () => {
  const user = await aPerson();
  const given = { currentPassword: "p", code: null, newPassword: NEW_PASSWORD };
  const change = { user, signedInAt: new Date(), address: ADDRESS, ...given };
  const reset = () => resetPassword(depsWith(undefined, "of the reset"), user, NEW_PASSWORD);
  await expect(changeOwnPassword(depsWith(reset), {} as never, change)).rejects.toMatchObject({
    type: "Session.InvalidCredentials",
  });
  const { users, sessions } = depsWith();
  expect(await users.findById(user._id)).toMatchObject({ passwordHash: "of the reset" });
  expect(await sessions.listOfUser(user._id)).toEqual([]);
});
