/** People of a team: their access ends with one write, by an operator or by an Owner. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { User } from "../../../services/auth-token/account/user.model.ts";
import { codeOf, type Login, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const SESSION = "/api/customer/v1/session";
const TEAM = "/api/customer/v1/partner-profile/team";

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

const statusWith = async (cookie: string, path = SESSION): Promise<number> =>
  (await stage.send("GET", path, cookie)).status;
const users = () => stage.database().collection<User>("users");

describe("the operator", () => {
  test.each(["Owner", "Analyst"])(
    "disables an %s: every session ends, no login, until enabled",
    async (role) => {
      const user = role === "Analyst" ? await stage.analyst() : await stage.user(partner.partnerId, role);
      const cookies = [await stage.cookie(user), await stage.cookie(user)];
      expect(await stage.admin("user", "disable", "--email", user.email)).toMatchObject({
        disabledAt: expect.any(String),
      });
      expect(await Promise.all(cookies.map((cookie) => statusWith(cookie)))).toEqual([401, 401]);
      expect(refusalOf(await stage.login(user))).toEqual([401, "Session.InvalidCredentials"]);
      expect(await stage.admin("user", "enable", "--email", user.email)).toMatchObject({ disabledAt: null });
      expect((await stage.login(user)).status).toBe(200);
    },
  );

  test("a session that was opened while the person was being disabled counts for nothing", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    // As a login that read the person just before would leave it.
    await users().updateOne({ email: user.email }, { $set: { disabledAt: new Date() } });
    expect(await statusWith(cookie)).toBe(401);
  });

  test("changes a role: the next request of an open session has it", async () => {
    const setRole = (email: string, role: string) =>
      stage.admin("user", "set-role", "--email", email, "--role", role);
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    expect(await statusWith(cookie, TEAM)).toBe(200);
    expect(await setRole(user.email, "Viewer")).toMatchObject({ role: "Viewer" });
    expect(await statusWith(cookie, TEAM)).toBe(403);
    await expect(setRole((await stage.analyst()).email, "Owner")).rejects.toThrow("analyst");
  });

  test("ends sessions: the person can sign in again", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    await stage.admin("user", "end-sessions", "--email", user.email);
    expect(await statusWith(cookie)).toBe(401);
    expect((await stage.login(user)).status).toBe(200);
  });
});

describe("an Owner", () => {
  let cookie: string;
  let ownId: string;
  const send = (method: string, path: string, body?: unknown) =>
    stage.send(method, TEAM + path, cookie, body);

  beforeAll(async () => {
    const owner = await stage.user(partner.partnerId, "Owner");
    cookie = await stage.cookie(owner);
    ownId = await stage.userId(owner.email);
  });

  test("sees the team, and nobody of another one", async () => {
    const stranger = await stage.user((await stage.partner("Globex")).partnerId, "Owner");
    const { items } = (await send("GET", "")).body.value;
    const emails = items.map(({ email }: Login) => email);
    expect(emails.length).toBeGreaterThan(1);
    expect(emails).not.toContain(stranger.email);
  });

  test("disables, enables, changes the role and ends the sessions of a colleague", async () => {
    const user = await stage.user(partner.partnerId, "Developer");
    const session = await stage.cookie(user);
    const id = await stage.userId(user.email);
    const { body } = await send("PATCH", `/${id}`, { role: "Viewer" });
    expect(body.value).toMatchObject({ role: "Viewer", disabledAt: null });
    const disabled = { disabledAt: expect.any(String) };
    expect((await send("POST", `/${id}/disable`)).body.value).toMatchObject(disabled);
    expect([await statusWith(session), (await stage.login(user)).status]).toEqual([401, 401]);
    expect((await send("POST", `/${id}/enable`)).status).toBe(200);
    const again = await stage.cookie(user);
    expect((await send("POST", `/${id}/end-sessions`)).status).toBe(200);
    expect(await statusWith(again)).toBe(401);
  });

  test("cannot reach a person of another team, the own access, or a role that is none", async () => {
    const stranger = await stage.user((await stage.partner("Globex")).partnerId, "Viewer");
    for (const [id, code] of [
      [await stage.userId(stranger.email), "User.NotFound"],
      ["nobody", "User.NotFound"],
      [ownId, "User.Self"],
    ]) {
      expect(codeOf(await send("PATCH", `/${id}`, { role: "Viewer" }))).toBe(code);
      expect(codeOf(await send("POST", `/${id}/disable`))).toBe(code);
    }
    const member = await stage.user(partner.partnerId, "Viewer");
    const wrong = await send("PATCH", `/${await stage.userId(member.email)}`, { role: "Analyst" });
    const refusal = { code: "ValidationControl.Error", details: [{ field: "role" }] };
    expect([wrong.status, wrong.body.error]).toMatchObject([400, refusal]);
  });

  test.each(["Developer", "Viewer"])("a %s may not see the team: 403", async (role) => {
    expect(await statusWith(await stage.cookieOfA(role, partner.partnerId), TEAM)).toBe(403);
  });
});

test("two Owners who disable or demote each other concurrently: one of them stays", async () => {
  const anOwner = { kind: "user", email: "owner@acme.test", role: "Owner" };
  for (let round = 0; round < 6; round += 1) {
    const { partnerId } = await stage.partner(`Two Owners ${round} Ltd`);
    const owners = [await stage.user(partnerId, "Owner"), await stage.user(partnerId, "Owner")];
    const [first = "", second = ""] = await Promise.all(owners.map(({ email }) => stage.userId(email)));
    // Past the gateway, where the first to come would end the session of the other.
    const remove = (userId: string, otherId: string) =>
      stage.gateway.broker.call(
        round % 2 === 0 ? "auth-token.disableMember" : "auth-token.changeMemberRole",
        { params: { userId: otherId }, query: {}, body: { role: "Viewer" }, headers: { ifMatch: null } },
        { meta: { requestId: "r", traceparent: "", caller: { ...anOwner, userId, partnerId } } },
      );
    const outcomes = await Promise.allSettled([remove(first, second), remove(second, first)]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { type: "User.LastOwner" } },
    ]);
    expect(await users().countDocuments({ partnerId, role: "Owner", disabledAt: null })).toBe(1);
  }
});

test("own sessions are seen and ended by their person, one or all others; no other person reaches them", async () => {
  const user = await stage.user(partner.partnerId, "Viewer");
  const [mine, second, third] = [
    await stage.cookie(user),
    await stage.cookie(user),
    await stage.cookie(user),
  ];
  const stranger = await stage.cookieOfA("Owner", partner.partnerId);
  const all = async (cookie: string) => (await stage.send("GET", `${SESSION}/all`, cookie)).body.value.items;
  const current = async (cookie: string) =>
    (await all(cookie)).filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  const end = (cookie: string, path = "") => stage.send("DELETE", `${SESSION}/all${path}`, cookie);
  expect(await all(mine)).toHaveLength(3);
  expect(await current(mine)).toHaveLength(1);
  const [{ sessionId: secondId }] = await current(second);
  expect(second).not.toContain(secondId);
  expect(codeOf(await end(stranger, `/${secondId}`))).toBe("Session.NotFound");
  expect((await end(mine, `/${secondId}`)).status).toBe(200);
  expect([await statusWith(second), await statusWith(third)]).toEqual([401, 200]);
  expect((await end(mine, `/${secondId}`)).status).toBe(404);
  expect((await end(mine)).body.value).toEqual({ ended: 1 });
  expect(await Promise.all([mine, third, stranger].map((each) => statusWith(each)))).toEqual([200, 401, 200]);
  const [{ sessionId: ownId }] = await current(mine);
  expect((await end(mine, `/${ownId}`)).status).toBe(200);
  expect(await statusWith(mine)).toBe(401);
  const entries = await stage.audit.entries({ "who.email": user.email });
  expect(entries.map(({ action }) => action)).toEqual([
    ...Array(3).fill("session.opened"),
    "session.ended",
    "sessions.others_ended",
    "session.ended",
  ]);
});
