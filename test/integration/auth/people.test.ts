/** People and partners leave: their access ends with one write, and those who act for a partner are told. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Partner } from "../../../services/auth-token/account/partner.model.ts";
import type { PartnerStanding } from "../../../shared/contract/actions/auth-token.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import {
  type Answer,
  type AuthStage,
  type StagePartner,
  startAuthStage,
} from "../../support/stage/auth-stage.ts";
import { openStage } from "../../support/stage/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const SESSION = "/api/customer/v1/session";
const TEAM = "/api/customer/v1/partner-profile/team";
const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const PROBED = "/api/customer/v1/onboarding/business-types";
const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

let stage: AuthStage;
let partner: StagePartner;
/** What the registry heard; the document service is not there until a test starts it. */
const heard: PartnerStanding[] = [];
const on = openStage();
const hears = (name: string, list: PartnerStanding[]) => () => ({
  name,
  actions: {
    setPartnerStanding({ params }: { params: PartnerStanding }) {
      list.push(params);
      return null;
    },
  },
});

beforeAll(async () => {
  await on.start("webhook-registry", [hears("webhook-registry", heard)]);
  stage = await startAuthStage({}, { on });
  partner = await stage.partner();
});
afterAll(() => stage?.stop());

const statusWith = async (cookie: string, path = SESSION): Promise<number> =>
  (await stage.request(path, { headers: { cookie } })).status;
const admin = async (...args: string[]) => {
  const { code, out, err } = await adminCommand(stage.call, [...args, "--json"]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Record<string, unknown>;
};

describe("the operator", () => {
  test.each(["Owner", "Analyst"])(
    "disables an %s: every session ends, no login, until enabled",
    async (role) => {
      const user = role === "Analyst" ? await stage.analyst() : await stage.user(partner.partnerId, role);
      const cookies = [await stage.cookie(user), await stage.cookie(user)];
      expect(await admin("user", "disable", "--email", user.email)).toMatchObject({
        disabledAt: expect.any(String),
      });
      expect(await Promise.all(cookies.map((cookie) => statusWith(cookie)))).toEqual([401, 401]);
      const refused = await stage.login(user);
      expect([refused.status, refused.body.error]).toMatchObject([
        401,
        { code: "Session.InvalidCredentials" },
      ]);
      expect(await admin("user", "enable", "--email", user.email)).toMatchObject({ disabledAt: null });
      expect((await stage.login(user)).status).toBe(200);
    },
  );

  test("a session that was opened while the person was being disabled counts for nothing", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    // As a login that read the person just before would leave it.
    await stage
      .database()
      .collection("users")
      .updateOne({ email: user.email }, { $set: { disabledAt: new Date() } });
    expect(await statusWith(cookie)).toBe(401);
  });

  test("changes a role: the next request of an open session has it", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    expect(await statusWith(cookie, TEAM)).toBe(200);
    expect(await admin("user", "set-role", "--email", user.email, "--role", "Viewer")).toMatchObject({
      role: "Viewer",
    });
    expect(await statusWith(cookie, TEAM)).toBe(403);
    const analyst = await stage.analyst();
    await expect(admin("user", "set-role", "--email", analyst.email, "--role", "Owner")).rejects.toThrow(
      "analyst",
    );
  });

  test("ends sessions: the person can sign in again", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    await admin("user", "end-sessions", "--email", user.email);
    expect(await statusWith(cookie)).toBe(401);
    expect((await stage.login(user)).status).toBe(200);
  });
});

describe("an Owner", () => {
  let cookie: string;
  let ownId: string;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    stage.request(TEAM + path, {
      method,
      headers: { cookie, ...(body ? { "Content-Type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const team = async () =>
    ((await send("GET", "")).body.value as { items: Record<string, string | null>[] }).items;
  const idOf = async (email: string) =>
    String((await team()).find((member) => member.email === email)?.userId);

  beforeAll(async () => {
    const owner = await stage.user(partner.partnerId, "Owner");
    cookie = await stage.cookie(owner);
    ownId = await idOf(owner.email);
  });

  test("sees the team, and nobody of another one", async () => {
    const other = await stage.partner("Globex");
    const stranger = await stage.user(other.partnerId, "Owner");
    const emails = (await team()).map(({ email }) => email);
    expect(emails.length).toBeGreaterThan(1);
    expect(emails).not.toContain(stranger.email);
  });

  test("disables, enables, changes the role and ends the sessions of a colleague", async () => {
    const user = await stage.user(partner.partnerId, "Developer");
    const session = await stage.cookie(user);
    const id = await idOf(user.email);
    const changed = await send("PATCH", `/${id}`, { role: "Viewer" });
    expect([changed.status, changed.body.value]).toMatchObject([200, { role: "Viewer", disabledAt: null }]);
    expect((await send("POST", `/${id}/disable`)).body.value).toMatchObject({
      disabledAt: expect.any(String),
    });
    expect([await statusWith(session), (await stage.login(user)).status]).toEqual([401, 401]);
    expect((await send("POST", `/${id}/enable`)).status).toBe(200);
    const again = await stage.cookie(user);
    expect((await send("POST", `/${id}/end-sessions`)).status).toBe(200);
    expect(await statusWith(again)).toBe(401);
  });

  test("cannot reach somebody of another team, the own access, or a role that is none", async () => {
    const other = await stage.partner("Globex");
    const stranger = await stage.user(other.partnerId, "Viewer");
    const found = await stage.database().collection("users").findOne({ email: stranger.email });
    for (const [path, code] of [
      [`/${found?._id}`, "User.NotFound"],
      ["/nobody", "User.NotFound"],
      [`/${ownId}`, "User.Self"],
    ]) {
      const answers = [
        await send("PATCH", String(path), { role: "Viewer" }),
        await send("POST", `${path}/disable`),
      ];
      for (const { body } of answers) expect(body.error).toMatchObject({ code });
    }
    const member = await stage.user(partner.partnerId, "Viewer");
    const wrong = await send("PATCH", `/${await idOf(member.email)}`, { role: "Analyst" });
    const refusal = { code: "ValidationControl.Error", details: [{ field: "role" }] };
    expect([wrong.status, wrong.body.error]).toMatchObject([400, refusal]);
  });

  test.each(["Developer", "Viewer"])("a %s may not see the team: 403", async (role) => {
    const other = await stage.cookie(await stage.user(partner.partnerId, role));
    expect(await statusWith(other, TEAM)).toBe(403);
  });
});

describe("the last Owner", () => {
  const anOwner = { kind: "user", email: "owner@acme.test", role: "Owner" } as const;

  test("two Owners who disable or demote each other at once: one of them stays", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { partnerId } = await stage.partner(`Two Owners ${round} Ltd`);
      const owners = [await stage.user(partnerId, "Owner"), await stage.user(partnerId, "Owner")];
      const users = stage.database().collection("users");
      const ids = await Promise.all(
        owners.map(async ({ email }) => String((await users.findOne({ email }))?._id)),
      );
      // Past the gateway, where the first to come would end the session of the other.
      const remove = (userId: string, otherId: string) =>
        stage.gateway.broker.call(
          round % 2 === 0 ? "auth-token.disableMember" : "auth-token.changeMemberRole",
          {
            params: { userId: otherId },
            query: {},
            body: { role: "Viewer" },
            headers: { ifMatch: null },
          },
          { meta: { requestId: "r", traceparent: "", caller: { ...anOwner, userId, partnerId } } },
        );
      const [first = "", second = ""] = ids;
      const outcomes = await Promise.allSettled([remove(first, second), remove(second, first)]);
      expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([
        { reason: { type: "User.LastOwner" } },
      ]);
      expect(await users.countDocuments({ partnerId, role: "Owner", disabledAt: null })).toBe(1);
    }
  });
});

describe("an invitation", () => {
  const ACCEPT = `${SESSION}/invitation`;
  const PASSWORD = "tulip sandwich gravel";
  let owner: { email: string; password: string };
  let cookie: string;
  const send = (method: string, path: string, body?: unknown, headers: object = { cookie }) =>
    stage.request(path, {
      method,
      headers: { ...headers, ...(body ? { "Content-Type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const invite = (email: string, role = "Viewer") => send("POST", `${TEAM}/invitations`, { email, role });
  const tokenIn = ({ body }: Answer) => String((body.value as { link: string }).link.split("#")[1]);
  const accept = (token: string, password = PASSWORD) => send("POST", ACCEPT, { token, password }, {});
  const stored = () => stage.database().collection("invitations");

  beforeAll(async () => {
    const { partnerId } = await stage.partner("Inviting Ltd");
    owner = await stage.user(partnerId, "Owner");
    cookie = await stage.cookie(owner);
  });

  test("is a link that is shown once; who accepts it chooses a password and has its role", async () => {
    const made = await invite("New@acme.test", "Developer");
    expect(made.body.value).toMatchObject({
      email: "new@acme.test",
      role: "Developer",
      invitedBy: owner.email,
      link: expect.stringMatching(/^http.+\/dashboard\/invitation#[A-Za-z0-9_-]{43}$/),
    });
    const token = tokenIn(made);
    expect(JSON.stringify(await stored().find().toArray())).not.toContain(token);
    const team = await send("GET", TEAM);
    expect(team.body.value).toMatchObject({ invitations: [{ email: "new@acme.test" }] });
    expect(team.text).not.toContain(token);
    const weak = await accept(token, "password");
    const refusal = { code: "ValidationControl.Error", details: [{ field: "password" }] };
    expect([weak.status, weak.body.error]).toMatchObject([400, refusal]);
    expect((await accept(token)).body.value).toEqual({ email: "new@acme.test" });
    const joined = { email: "new@acme.test", password: PASSWORD };
    expect((await stage.login(joined)).body.value).toMatchObject({
      user: { role: "Developer" },
      partner: { name: "Inviting Ltd" },
    });
    const again = await accept(token, "another password of mine");
    expect([again.status, again.body.error]).toMatchObject([404, { code: "Invitation.NotFound" }]);
    expect((await stage.login(joined)).status).toBe(200);
    expect((await send("GET", TEAM)).body.value).toMatchObject({ invitations: [] });
    const entries = await stage.audit.entries({ "after.email": "new@acme.test" });
    expect(entries.map(({ action, who }) => [action, who.email])).toEqual([
      ["member.invited", owner.email],
      ["member.joined", "new@acme.test"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
    expect(stage.log.join("")).not.toContain(token);
  });

  test("accepted by many at once: makes one person", async () => {
    const token = tokenIn(await invite("once@acme.test"));
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await accept(token)).status));
    expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404]);
    expect(await stage.database().collection("users").countDocuments({ email: "once@acme.test" })).toBe(1);
  });

  test("that ended, was withdrawn or replaced, or never was: is none", async () => {
    const replaced = tokenIn(await invite("later@acme.test"));
    const made = await invite("later@acme.test");
    const { invitationId, expiresAt } = made.body.value as Record<string, string>;
    expect((await accept(replaced)).status).toBe(404);
    const late = Date.parse(String(expiresAt)) - Date.now();
    stage.clock.ahead = late + 1;
    expect((await accept(tokenIn(made))).status).toBe(404);
    stage.clock.ahead = 0;
    expect((await send("DELETE", `${TEAM}/invitations/${invitationId}`)).status).toBe(200);
    expect((await send("DELETE", `${TEAM}/invitations/${invitationId}`)).status).toBe(404);
    for (const token of [tokenIn(made), "", "x", "x".repeat(257)])
      expect([400, 404]).toContain((await accept(token)).status);
    expect(await stored().countDocuments({ email: "later@acme.test" })).toBe(0);
  });

  test("an invitation of another team is not withdrawn, an existing person is not invited, and only an Owner invites", async () => {
    const made = await invite("stays@acme.test");
    const { invitationId } = made.body.value as Record<string, string>;
    const strangerCookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const path = `${TEAM}/invitations/${invitationId}`;
    expect((await send("DELETE", path, undefined, { cookie: strangerCookie })).status).toBe(404);
    expect((await invite(owner.email)).body.error).toMatchObject({ code: "User.Exists" });
    for (const [email, role, field] of [
      ["no email", "Viewer", "email"],
      ["a\u200b@acme.test", "Viewer", "email"],
      ["a@acme.test", "Analyst", "role"],
    ] as const) {
      const { status, body } = await invite(email, role);
      expect([status, body.error]).toMatchObject([400, { details: [{ field }] }]);
    }
    for (const role of ["Developer", "Viewer"]) {
      const other = await stage.cookie(await stage.user(partner.partnerId, role));
      const body = { email: "x@acme.test", role: "Owner" };
      expect((await send("POST", `${TEAM}/invitations`, body, { cookie: other })).status).toBe(403);
    }
  });

  describe("by an Owner who leaves", () => {
    const aTeam = async () => {
      const { partnerId } = await stage.partner("Leaving Ltd");
      const [leaving, stays] = [await stage.user(partnerId, "Owner"), await stage.user(partnerId, "Owner")];
      const of = { leaving: await stage.cookie(leaving), stays: await stage.cookie(stays) };
      const { _id } = (await stage.database().collection("users").findOne({ email: leaving.email })) ?? {};
      const email = `private-${partnerId.slice(0, 8)}@mail.test`;
      const made = await send(
        "POST",
        `${TEAM}/invitations`,
        { email, role: "Owner" },
        { cookie: of.leaving },
      );
      return { partnerId, leaving, of, id: String(_id), email, token: tokenIn(made) };
    };

    test.each<[string, (team: Awaited<ReturnType<typeof aTeam>>) => Promise<unknown>]>([
      [
        "disabled by a colleague",
        ({ of, id }) => send("POST", `${TEAM}/${id}/disable`, undefined, { cookie: of.stays }),
      ],
      [
        "demoted by a colleague",
        ({ of, id }) => send("PATCH", `${TEAM}/${id}`, { role: "Viewer" }, { cookie: of.stays }),
      ],
      ["disabled by the operator", ({ leaving }) => admin("user", "disable", "--email", leaving.email)],
      [
        "demoted by the operator",
        ({ leaving }) => admin("user", "set-role", "--email", leaving.email, "--role", "Developer"),
      ],
    ])("%s: is withdrawn with it, and stays so when the Owner is one again", async (_, leave) => {
      const team = await aTeam();
      await leave(team);
      expect(await stored().countDocuments({ partnerId: team.partnerId })).toBe(0);
      await admin("user", "enable", "--email", team.leaving.email);
      await admin("user", "set-role", "--email", team.leaving.email, "--role", "Owner");
      const answer = await accept(team.token);
      expect([answer.status, answer.body.error]).toMatchObject([404, { code: "Invitation.NotFound" }]);
      expect(await stage.database().collection("users").countDocuments({ email: team.email })).toBe(0);
    });

    test("that was made meanwhile: counts only while its Owner is one", async () => {
      const { id, token, partnerId, leaving } = await aTeam();
      for (const state of [{ disabledAt: new Date() }, { role: "Viewer" }, { partnerId: "another" }]) {
        const users = stage.database().collection<{ _id: string }>("users");
        const before = await users.findOne({ _id: id });
        await users.updateOne({ _id: id }, { $set: state });
        expect((await accept(token)).body.error).toMatchObject({ code: "Invitation.NotFound" });
        await users.replaceOne({ _id: id }, before ?? {});
      }
      expect(await stored().countDocuments({ partnerId, invitedBy: leaving.email })).toBe(1);
      expect((await accept(token)).status).toBe(200);
    });
  });

  test("an invitation of a deactivated partner is refused until the partner is active again", async () => {
    const { partnerId } = await stage.partner("Paused Ltd");
    const of = await stage.cookie(await stage.user(partnerId, "Owner"));
    const made = await send(
      "POST",
      `${TEAM}/invitations`,
      { email: "paused@mail.test", role: "Viewer" },
      { cookie: of },
    );
    await admin("partner", "deactivate", "--id", partnerId);
    const refused = await accept(tokenIn(made));
    expect([refused.status, refused.body.error]).toMatchObject([409, { code: "Partner.Inactive" }]);
    await admin("partner", "activate", "--id", partnerId);
    expect((await accept(tokenIn(made))).status).toBe(200);
  });

  test("to an address with an account elsewhere: looks like any other, and takes nothing over", async () => {
    const { partnerId } = await stage.partner("Curious Ltd");
    const of = await stage.cookie(await stage.user(partnerId, "Owner"));
    const ask = (email: string) =>
      send("POST", `${TEAM}/invitations`, { email, role: "Owner" }, { cookie: of });
    const elsewhere = [await stage.user(partner.partnerId, "Viewer"), await stage.analyst()];
    const shape = ({ status, body }: Answer) => [status, Object.keys(body.value as object)];
    const unknown = shape(await ask("unknown@mail.test"));
    for (const person of elsewhere) {
      const made = await ask(person.email);
      expect(shape(made)).toEqual(unknown);
      const refused = await accept(tokenIn(made));
      expect([refused.status, refused.body.error]).toMatchObject([409, { code: "User.Exists" }]);
      expect((await stage.login({ ...person, password: PASSWORD })).status).toBe(401);
      expect((await stage.login(person)).status).toBe(200);
      expect(await stored().countDocuments({ partnerId, email: person.email })).toBe(1);
      expect(await stage.audit.entries({ partnerId, "after.email": person.email })).toMatchObject([
        { action: "member.invited" },
        { action: "invitation.refused", who: { email: person.email } },
      ]);
    }
  });

  test("that was refused five times for its address: the team waits before the next one is accepted", async () => {
    const { partnerId } = await stage.partner("Probing Ltd");
    const of = await stage.cookie(await stage.user(partnerId, "Owner"));
    const link = async (email: string) =>
      tokenIn(await send("POST", `${TEAM}/invitations`, { email, role: "Viewer" }, { cookie: of }));
    const known = await link((await stage.analyst()).email);
    const seen = [];
    for (let attempt = 0; attempt < 6; attempt += 1) seen.push((await accept(known)).status);
    expect(seen).toEqual([409, 409, 409, 409, 409, 429]);
    const good = await link("patient@mail.test");
    expect((await accept(good)).status).toBe(429);
    expect((await accept(tokenIn(await invite("elsewhere@mail.test")))).status).toBe(200);
    stage.clock.move(61_000);
    expect((await accept(good)).status).toBe(200);
    stage.clock.ahead = 0;
  });

  test("to one address by two teams: reserves nothing, the first one that is accepted has it", async () => {
    const { partnerId } = await stage.partner("Second Ltd");
    const of = await stage.cookie(await stage.user(partnerId, "Owner"));
    const first = tokenIn(await invite("wanted@mail.test"));
    const body = { email: "Wanted@mail.test", role: "Viewer" };
    const second = tokenIn(await send("POST", `${TEAM}/invitations`, body, { cookie: of }));
    expect([(await accept(second)).status, (await accept(first)).status]).toEqual([200, 409]);
  });

  test("in the sandbox: is refused, because its people are those of the live partner", async () => {
    const live = await stage.partner("With Sandbox Ltd");
    await stage.sandbox(live);
    const of = await stage.cookie(await stage.user(live.partnerId, "Owner"));
    const body = { email: "twin@acme.test", role: "Owner" };
    const headers = { cookie: of, "Svc-Sandbox": "true" };
    expect((await send("POST", `${TEAM}/invitations`, body, headers)).status).toBe(400);
    expect(await stored().countDocuments({ email: "twin@acme.test" })).toBe(0);
  });

  test("beyond fifty: has to wait", async () => {
    const [stays] = await stored().find({ email: "stays@acme.test" }).toArray();
    const partnerId = String(stays?.partnerId);
    const one = (index: number) => ({
      _id: `made-${index}`,
      partnerId,
      email: `made-${index}@acme.test`,
      role: "Viewer",
      tokenHash: `made-${index}`,
      invitedBy: owner.email,
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    });
    const open = await stored().countDocuments({ partnerId });
    const more = Array.from({ length: 50 - open }, (_, index) => one(index));
    await stored().insertMany(more as never[]);
    expect((await invite("too-many@acme.test")).body.error).toMatchObject({
      code: "Invitation.LimitReached",
    });
    expect((await invite("made-1@acme.test")).status).toBe(200);
  });
});

describe("own sessions", () => {
  test("are seen and ended by their person, one or all others; nobody reaches another's", async () => {
    const user = await stage.user(partner.partnerId, "Viewer");
    const cookies = [await stage.cookie(user), await stage.cookie(user), await stage.cookie(user)];
    const [mine = "", second = "", third = ""] = cookies;
    const stranger = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const all = async (cookie: string) =>
      (
        (await stage.request(`${SESSION}/all`, { headers: { cookie } })).body.value as {
          items: Record<string, unknown>[];
        }
      ).items;
    const idOf = async (cookie: string) =>
      String((await all(cookie)).find(({ isCurrent }) => isCurrent)?.sessionId);
    const end = (cookie: string, path = "") =>
      stage.request(`${SESSION}/all${path}`, { method: "DELETE", headers: { cookie } });
    expect(await all(mine)).toHaveLength(3);
    expect((await all(mine)).filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const secondId = await idOf(second);
    expect(second).not.toContain(secondId);
    expect((await end(stranger, `/${secondId}`)).body.error).toMatchObject({ code: "Session.NotFound" });
    expect((await end(mine, `/${secondId}`)).status).toBe(200);
    expect([await statusWith(second), await statusWith(third)]).toEqual([401, 200]);
    expect((await end(mine, `/${secondId}`)).status).toBe(404);
    expect((await end(mine)).body.value).toEqual({ ended: 1 });
    expect([await statusWith(mine), await statusWith(third), await statusWith(stranger)]).toEqual([
      200, 401, 200,
    ]);
    expect((await end(mine, `/${await idOf(mine)}`)).status).toBe(200);
    expect(await statusWith(mine)).toBe(401);
    const entries = await stage.audit.entries({ "who.email": user.email });
    expect(entries.map(({ action }) => action)).toEqual([
      ...Array(3).fill("session.opened"),
      "session.ended",
      "sessions.others_ended",
      "session.ended",
    ]);
  });
});

describe("a partner is deactivated", () => {
  test("the registry is told at once, the document service as soon as it is there, and both of the way back", async () => {
    const { partnerId } = await stage.partner("Gone Ltd");
    await admin("partner", "deactivate", "--id", partnerId);
    const of = (list: PartnerStanding[]) => list.filter((each) => each.partnerId === partnerId);
    // On a busy machine the sweep may tell it once more.
    expect(of(heard)[0]).toMatchObject({ active: false, changedAt: expect.any(String) });

    const late: PartnerStanding[] = [];
    await on.start("document", [hears("document", late)]);
    await waitFor(() => of(late).length > 0, { what: "the document service to be told" });
    expect(of(late)[0]).toMatchObject({ active: false });
    await admin("partner", "activate", "--id", partnerId);
    expect([of(heard).at(-1), of(late).at(-1)]).toMatchObject([{ active: true }, { active: true }]);
  });

  test("its sandbox goes with it: no token, no dashboard, the registry is told; and comes back with it", async () => {
    const live = await stage.partner("Both Gone Ltd");
    const twin = await stage.sandbox(live);
    const cookie = await stage.cookie(await stage.user(live.partnerId, "Owner"));
    const token = await stage.token(twin);
    const sandboxed = async () => {
      const { status } = await stage.tokenRequest(tokenForm(stage.assertion(twin)));
      const page = await stage.request(CREDENTIALS, { headers: { cookie, "Svc-Sandbox": "true" } });
      return [status, page.status];
    };
    const told = () => heard.filter(({ partnerId }) => partnerId === twin.partnerId).at(-1);
    expect(await sandboxed()).toEqual([200, 200]);

    await admin("partner", "deactivate", "--id", live.partnerId);
    expect(await sandboxed()).toEqual([401, 409]);
    expect(told()).toMatchObject({ active: false });
    await waitFor(async () => (await stage.request(PROBED, withToken(token))).status === 409, {
      what: "the token of the sandbox to be refused",
    });
    await expect(admin("partner", "activate", "--id", twin.partnerId)).rejects.toThrow("Partner.Inactive");

    await admin("partner", "activate", "--id", live.partnerId);
    expect(await sandboxed()).toEqual([200, 200]);
    expect(told()).toMatchObject({ active: true });
  });

  test("its sandbox alone: the live partner stays", async () => {
    const live = await stage.partner("Half Gone Ltd");
    const twin = await stage.sandbox(live);
    await admin("partner", "deactivate", "--id", twin.partnerId);
    const statusOf = async (who: StagePartner) =>
      (await stage.tokenRequest(tokenForm(stage.assertion(who)))).status;
    expect([await statusOf(twin), await statusOf(live)]).toEqual([401, 200]);
    expect(await admin("partner", "activate", "--id", twin.partnerId)).toMatchObject({ active: true });
  });

  test("while its sandbox is opened: whichever comes first, no sandbox is active without its partner", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { partnerId } = await stage.partner(`Racing ${round} Ltd`);
      await Promise.allSettled([
        admin("partner", "sandbox", "--id", partnerId),
        admin("partner", "deactivate", "--id", partnerId),
      ]);
      const partners = stage.database().collection<Partner>("partners");
      expect(await partners.findOne({ _id: partnerId })).toMatchObject({ active: false });
      expect(await partners.findOne({ testOf: partnerId, active: true })).toBeNull();
    }
  });
});
