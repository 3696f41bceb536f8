/** Invitations to a team: by an Owner, accepted once, and worth nothing when their Owner leaves. */
import { describe, expect, test } from "@jest/globals";
import type { User } from "../../../services/auth-token/account/user.model.ts";
import { several } from "../../support/builders/records.ts";
import { type Answer, codeOf, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const SESSION = "/api/customer/v1/session";
const TEAM = "/api/customer/v1/partner-profile/team";
const PASSWORD = "tulip sandwich gravel";

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());
const users = () => stage.database().collection<User>("users");
const stored = () => stage.database().collection("invitations");
const tokenIn = ({ body }: Answer) => String(body.value.link.split("#")[1]);
const accept = (token: string, password = PASSWORD) =>
  stage.send("POST", `${SESSION}/invitation`, "", { token, password });

/** A team with an Owner who invites. */
async function aTeam(name: string) {
  const { partnerId } = await stage.partner(name);
  const owner = await stage.user(partnerId, "Owner");
  const cookie = await stage.cookie(owner);
  const invite = (email: string, role = "Viewer", headers = {}) =>
    stage.send("POST", `${TEAM}/invitations`, cookie, { email, role }, headers);
  const link = async (email: string, role?: string) => tokenIn(await invite(email, role));
  return { partnerId, owner, cookie, invite, link };
}
const team = ofFile(() => aTeam("Inviting Ltd"));

test("an invitation is a link that is shown once; the person who accepts it chooses a password and has its role", async () => {
  const { owner, cookie } = team;
  const made = await team.invite("New@acme.test", "Developer");
  expect(made.body.value).toMatchObject({
    email: "new@acme.test",
    role: "Developer",
    invitedBy: owner.email,
    link: expect.stringMatching(/^http.+\/dashboard\/invitation#[A-Za-z0-9_-]{43}$/),
  });
  const token = tokenIn(made);
  expect(JSON.stringify(await stored().find().toArray())).not.toContain(token);
  const listed = await stage.send("GET", TEAM, cookie);
  expect(listed.body.value).toMatchObject({ invitations: [{ email: "new@acme.test" }] });
  expect(listed.text).not.toContain(token);
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
  expect(refusalOf(again)).toEqual([404, "Invitation.NotFound"]);
  expect((await stage.login(joined)).status).toBe(200);
  expect((await stage.send("GET", TEAM, cookie)).body.value).toMatchObject({ invitations: [] });
  const entries = await stage.audit.entries({ "after.email": "new@acme.test" });
  expect(entries.map(({ action, who }) => [action, who.email])).toEqual([
    ["member.invited", owner.email],
    ["member.joined", "new@acme.test"],
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
  expect(stage.log.join("")).not.toContain(token);
});

test("an invitation accepted by many concurrently makes one person", async () => {
  const token = await team.link("once@acme.test");
  const statuses = await Promise.all(several(5, async () => (await accept(token)).status));
  expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404]);
  expect(await users().countDocuments({ email: "once@acme.test" })).toBe(1);
});

test("an invitation that expired, was withdrawn or replaced, or never existed is not accepted", async () => {
  const replaced = await team.link("later@acme.test");
  const made = await team.invite("later@acme.test");
  const { invitationId, expiresAt } = made.body.value;
  expect((await accept(replaced)).status).toBe(404);
  stage.clock.ahead = Date.parse(expiresAt) - Date.now() + 1;
  expect((await accept(tokenIn(made))).status).toBe(404);
  stage.clock.ahead = 0;
  const withdraw = () => stage.send("DELETE", `${TEAM}/invitations/${invitationId}`, team.cookie);
  expect([(await withdraw()).status, (await withdraw()).status]).toEqual([200, 404]);
  for (const token of [tokenIn(made), "", "x", "x".repeat(257)])
    expect([400, 404]).toContain((await accept(token)).status);
  expect(await stored().countDocuments({ email: "later@acme.test" })).toBe(0);
});

test("an invitation of another team is not withdrawn, an existing person is not invited, and only an Owner invites", async () => {
  const { invitationId } = (await team.invite("stays@acme.test")).body.value;
  const stranger = await stage.cookieOfA("Owner", partner.partnerId);
  expect((await stage.send("DELETE", `${TEAM}/invitations/${invitationId}`, stranger)).status).toBe(404);
  expect(codeOf(await team.invite(team.owner.email))).toBe("User.Exists");
  for (const [email, role, field] of [
    ["no email", "Viewer", "email"],
    ["a\u200b@acme.test", "Viewer", "email"],
    ["a@acme.test", "Analyst", "role"],
  ] as const) {
    const { status, body } = await team.invite(email, role);
    expect([status, body.error]).toMatchObject([400, { details: [{ field }] }]);
  }
  for (const role of ["Developer", "Viewer"]) {
    const other = await stage.cookieOfA(role, partner.partnerId);
    const wanted = { email: "x@acme.test", role: "Owner" };
    expect((await stage.send("POST", `${TEAM}/invitations`, other, wanted)).status).toBe(403);
  }
});

describe("an invitation by an Owner who leaves", () => {
  const aLeaver = async () => {
    const leaving = await aTeam("Leaving Ltd");
    const { partnerId, owner } = leaving;
    const stays = await stage.cookieOfA("Owner", partnerId);
    const email = `private-${partnerId.slice(0, 8)}@mail.test`;
    const token = await leaving.link(email, "Owner");
    return { partnerId, owner, stays, email, token, id: await stage.userId(owner.email) };
  };

  test.each<[string, (team: Awaited<ReturnType<typeof aLeaver>>) => Promise<unknown>]>([
    ["disabled by a colleague", ({ stays, id }) => stage.send("POST", `${TEAM}/${id}/disable`, stays)],
    [
      "demoted by a colleague",
      ({ stays, id }) => stage.send("PATCH", `${TEAM}/${id}`, stays, { role: "Viewer" }),
    ],
    ["disabled by the operator", ({ owner }) => stage.admin("user", "disable", "--email", owner.email)],
    [
      "demoted by the operator",
      ({ owner }) => stage.admin("user", "set-role", "--email", owner.email, "--role", "Developer"),
    ],
  ])("%s: is withdrawn with it, and stays so when the Owner is one again", async (_, leave) => {
    const leaver = await aLeaver();
    await leave(leaver);
    const { partnerId, owner, token, email } = leaver;
    expect(await stored().countDocuments({ partnerId })).toBe(0);
    await stage.admin("user", "enable", "--email", owner.email);
    await stage.admin("user", "set-role", "--email", owner.email, "--role", "Owner");
    expect(refusalOf(await accept(token))).toEqual([404, "Invitation.NotFound"]);
    expect(await users().countDocuments({ email })).toBe(0);
  });

  test("an invitation that was made meanwhile counts only while its Owner is one", async () => {
    const { id, token, partnerId, owner } = await aLeaver();
    const before = (await users().findOne({ _id: id })) as User;
    const states: Partial<User>[] = [
      { disabledAt: new Date() },
      { role: "Viewer" },
      { partnerId: "another" },
    ];
    for (const state of states) {
      await users().updateOne({ _id: id }, { $set: state });
      expect(codeOf(await accept(token))).toBe("Invitation.NotFound");
      await users().replaceOne({ _id: id }, before);
    }
    expect(await stored().countDocuments({ partnerId, invitedBy: owner.email })).toBe(1);
    expect((await accept(token)).status).toBe(200);
  });
});

test("an invitation of a deactivated partner is refused until the partner is active again", async () => {
  const paused = await aTeam("Paused Ltd");
  const token = await paused.link("paused@mail.test");
  await stage.admin("partner", "deactivate", "--id", paused.partnerId);
  expect(refusalOf(await accept(token))).toEqual([409, "Partner.Inactive"]);
  await stage.admin("partner", "activate", "--id", paused.partnerId);
  expect((await accept(token)).status).toBe(200);
});

test("an invitation to an address with an account elsewhere looks like any other, and takes nothing over", async () => {
  const { partnerId, invite } = await aTeam("Curious Ltd");
  const elsewhere = [await stage.user(partner.partnerId, "Viewer"), await stage.analyst()];
  const shape = ({ status, body }: Answer) => [status, Object.keys(body.value)];
  const unknown = shape(await invite("unknown@mail.test", "Owner"));
  for (const person of elsewhere) {
    const made = await invite(person.email, "Owner");
    expect(shape(made)).toEqual(unknown);
    expect(refusalOf(await accept(tokenIn(made)))).toEqual([409, "User.Exists"]);
    expect((await stage.login({ ...person, password: PASSWORD })).status).toBe(401);
    expect((await stage.login(person)).status).toBe(200);
    expect(await stored().countDocuments({ partnerId, email: person.email })).toBe(1);
    expect(await stage.audit.entries({ partnerId, "after.email": person.email })).toMatchObject([
      { action: "member.invited" },
      { action: "invitation.refused", who: { email: person.email } },
    ]);
  }
});

test("an invitation is refused five times for its address: the team waits before the next is accepted", async () => {
  const { link } = await aTeam("Probing Ltd");
  const known = await link((await stage.analyst()).email);
  const seen = [];
  for (let attempt = 0; attempt < 6; attempt += 1) seen.push((await accept(known)).status);
  expect(seen).toEqual([409, 409, 409, 409, 409, 429]);
  const good = await link("patient@mail.test");
  expect((await accept(good)).status).toBe(429);
  expect((await accept(await team.link("elsewhere@mail.test"))).status).toBe(200);
  stage.clock.move(61_000);
  expect((await accept(good)).status).toBe(200);
  stage.clock.ahead = 0;
});

test("two teams invite one address: nothing is reserved, the first accepted invitation has it", async () => {
  const { link } = await aTeam("Second Ltd");
  const [first, second] = [await team.link("wanted@mail.test"), await link("Wanted@mail.test")];
  expect([(await accept(second)).status, (await accept(first)).status]).toEqual([200, 409]);
});

test("an invitation in the sandbox is refused, because its people are those of the live partner", async () => {
  const { partnerId, invite } = await aTeam("With Sandbox Ltd");
  await stage.call("auth-token.createSandbox", { partnerId });
  expect((await invite("twin@acme.test", "Owner", { "Svc-Sandbox": "true" })).status).toBe(400);
  expect(await stored().countDocuments({ email: "twin@acme.test" })).toBe(0);
});

test("the invitation beyond fifty is refused until another is used", async () => {
  const { partnerId, owner, invite } = await aTeam("Large Ltd");
  const made = several(50, (index) => ({
    ...{ _id: `made-${index}`, partnerId, email: `made-${index}@acme.test`, role: "Viewer" },
    ...{ tokenHash: `made-${index}`, invitedBy: owner.email },
    ...{ createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) },
  }));
  await stored().insertMany(made as never[]);
  expect(codeOf(await invite("too-many@acme.test"))).toBe("Invitation.LimitReached");
  expect((await invite("made-1@acme.test")).status).toBe(200);
});
