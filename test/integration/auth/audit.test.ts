/** A change and its entry are stored together or not at all, and all trails are read as one. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import type { AuditQuery } from "../../../shared/contract/actions/audit.ts";
import type { AuditEntry } from "../../../shared/contract/answers/audit.ts";
import { orderedId, randomId } from "../../../shared/ids.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { openStage } from "../../support/stage/stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const TEAM = "/api/customer/v1/partner-profile/team";
const SESSION = "/api/customer/v1/session";
const AUDIT = "/api/customer/v1/partner-profile/audit";

/** The entries of the other services. */
const elsewhere: AuditEntry[] = [];
const on = openStage();
const trail = (name: string) => () => ({
  name,
  actions: {
    auditEntries: ({ params }: { params: AuditQuery }) => ({
      items: elsewhere
        .filter(({ service, partnerId, id }) => {
          const isWanted = params.partnerId === null || partnerId === params.partnerId;
          return service === name && isWanted && (params.beforeId === null || id < params.beforeId);
        })
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, params.limit),
    }),
  },
});

const stage = stageOfFile(async () => {
  for (const name of ["webhook-registry", "delivery", "profile"] as const)
    await on.start(name, [trail(name)]);
  return startAuthStage({}, { on, profileProbe: false });
});
const partner = ofFile(() => stage.partner());
const owner = ofFile(() => stage.user(partner.partnerId, "Owner"));
let cookie: string;
beforeAll(async () => {
  cookie = await stage.cookie(owner);
});

const send = (method: string, path: string, body?: unknown, requestId = randomId()) =>
  stage.send(method, path, cookie, body, { "Svc-Request-Id": requestId });
const ownCredential = async () => (await send("GET", CREDENTIALS)).body.value.items[0];

describe("an entry", () => {
  test("an entry of a credential has actor, address, change and request id, and no certificate", async () => {
    const { id, certificates } = await ownCredential();
    const { certificatePem: certificate } = await makePartnerKeys({ commonName: "Second" });
    const requestId = randomId();
    const added = await send("POST", `${CREDENTIALS}/${id}/certificates`, { certificate }, requestId);
    expect(added.status).toBe(200);
    const first = certificates[0].thumbprint;
    expect(await stage.audit.entries({ requestId })).toEqual([
      {
        _id: expect.any(String),
        at: expect.any(Date),
        service: "auth-token",
        who: { kind: "user", id: await stage.userId(owner.email), email: owner.email },
        from: "127.0.0.1",
        action: "certificate.added",
        partnerId: partner.partnerId,
        subject: id,
        before: { clientId: partner.clientId, status: "Active", thumbprints: [first] },
        after: { clientId: partner.clientId, status: "Active", thumbprints: [first, expect.any(String)] },
        requestId,
        serverRequestId: expect.not.stringContaining(requestId),
      },
    ]);
  });

  test("entries of the team, the own password and an operator's command name both people", async () => {
    const member = await stage.user(partner.partnerId, "Developer");
    const id = await stage.userId(member.email);
    await send("PATCH", `${TEAM}/${id}`, { role: "Viewer" });
    await stage.admin("user", "disable", "--email", member.email, "--operator", "grace");
    expect(await stage.audit.entries({ subject: id, action: { $ne: "user.created" } })).toMatchObject([
      {
        action: "member.role_changed",
        who: { email: owner.email },
        before: { role: "Developer" },
        after: { role: "Viewer", disabledAt: null },
      },
      {
        action: "user.disabled_set",
        who: { kind: "operator", id: "grace", email: null },
        from: null,
        before: { disabledAt: null },
        after: { disabledAt: expect.any(String) },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    const person = await stage.user(partner.partnerId, "Viewer");
    const own = await stage.cookie(person);
    const change = { currentPassword: person.password, newPassword: "tulip sandwich gravel" };
    await stage.send("POST", `${SESSION}/password`, own, change);
    const entries = await stage.audit.entries({ "who.email": person.email });
    expect(entries.map(({ action }) => action)).toEqual(["session.opened", "password.changed"]);
    for (const secret of Object.values(change))
      expect(JSON.stringify(await stage.audit.entries())).not.toContain(secret);
  });

  test("an entry of a sign-in shows the Owner actor, address and means; a refused sign-in has none", async () => {
    const person = await stage.user(partner.partnerId, "Viewer");
    const id = await stage.userId(person.email);
    await stage.login({ ...person, password: "wrong" });
    const agents = ["Mozilla/5.0 (X11)", "x".repeat(300)];
    for (const agent of agents) await stage.login(person, { "User-Agent": agent });
    const opened = (userAgent: string, isNewNetwork: boolean) => ({
      action: "session.opened",
      who: { kind: "user", id, email: person.email },
      from: "127.0.0.1",
      partnerId: partner.partnerId,
      subject: id,
      before: null,
      after: { userAgent, isNewNetwork, withSecondFactor: false },
    });
    expect(await stage.audit.entries({ subject: id, action: { $ne: "user.created" } })).toMatchObject([
      opened("Mozilla/5.0 (X11)", true),
      opened("x".repeat(256), false),
    ]);
    const { items } = (await send("GET", `${AUDIT}?pageSize=2`)).body.value;
    expect(items).toMatchObject([opened("x".repeat(256), false), opened("Mozilla/5.0 (X11)", true)]);
    const analyst = await stage.analyst();
    await stage.login(analyst);
    const entries = await stage.audit.entries({ "who.email": analyst.email });
    expect(entries).toMatchObject([{ action: "session.opened", who: { kind: "analyst" }, partnerId: null }]);
  });

  test("a command that changed nothing has no entry", async () => {
    const certificate = partner.certificatePem;
    const before = (await stage.audit.entries()).length;
    const path = `${CREDENTIALS}/${(await ownCredential()).id}/certificates`;
    expect((await send("POST", path, { certificate })).status).toBe(200);
    expect((await send("POST", path, { certificate: "none" })).status).toBe(400);
    expect(await stage.audit.entries()).toHaveLength(before);
  });
});

describe("an entry that cannot be written", () => {
  test("takes the change with it: team, credential, people and partners stay as they were", async () => {
    const member = await stage.user(partner.partnerId, "Developer");
    const session = await stage.cookie(member);
    const id = await stage.userId(member.email);
    const all = (name: string) => stage.database().collection(name).find().sort({ _id: 1 }).toArray();
    const stored = () => Promise.all(["users", "partners", "api_credentials"].map(all));
    const before = await stored();
    const { id: credentialId } = await ownCredential();
    await stage.audit.refusing(async () => {
      const refused = [
        await send("POST", `${TEAM}/${id}/disable`),
        await send("POST", `${CREDENTIALS}/${credentialId}/revoke`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([500, 500]);
      for (const command of [
        ["partner", "deactivate", "--id", partner.partnerId],
        ["partner", "create", "--name", "Nobody Ltd"],
        ["key", "rotate"],
      ])
        await expect(stage.admin(...command)).rejects.toThrow("Service.Error");
      expect((await stage.login(member)).status).toBe(500);
    });
    expect(await stored()).toEqual(before);
    expect(await stage.database().collection("sessions").countDocuments({ userId: id })).toBe(1);
    expect((await stage.send("GET", SESSION, session)).status).toBe(200);
  });
});

describe("listAudit", () => {
  const anEntry = (service: string, partnerId: string | null): AuditEntry => ({
    id: orderedId(stage.clock.now()),
    at: new Date(stage.clock.now()).toISOString(),
    service,
    who: { kind: "analyst", id: "a1", email: "ada@operator.test" },
    from: "203.0.113.7",
    action: `${service}.something`,
    partnerId,
    subject: "s1",
    before: null,
    after: null,
    requestId: "given",
    serverRequestId: randomId(),
  });
  const list = (caller: object | null, query: Record<string, string> = {}, from = stage) =>
    from.gateway.broker.call(
      "auth-token.listAudit",
      { params: {}, query, body: undefined, headers: { ifMatch: null } },
      { meta: { requestId: "r", traceparent: "", caller } },
    ) as Promise<{ items: AuditEntry[]; nextCursor: string | null }>;

  test("an Owner sees the entries of the own partner from every service, newest first, page by page", async () => {
    const { partnerId } = await stage.partner("Globex");
    for (const service of ["profile", "delivery", "webhook-registry"])
      for (const each of [partnerId, partner.partnerId, null]) elsewhere.push(anEntry(service, each));
    const user = { kind: "user", userId: "u", email: "u@x.test", role: "Owner", partnerId };
    const all = await list(user);
    expect(new Set(all.items.map((entry) => entry.partnerId))).toEqual(new Set([partnerId]));
    expect(new Set(all.items.map(({ service }) => service)).size).toBe(4);
    const ids = all.items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(user, { pageSize: "2", cursor });
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(ids);
    expect(await list(user, { partnerId: partner.partnerId })).toEqual(all);
  });

  test("the operator's command sees everything or one partner's part; an analyst, a partner's token and nobody see nothing", async () => {
    const shown = async (...args: string[]): Promise<AuditEntry[]> =>
      JSON.parse((await adminCommand(stage.call, ["audit", "list", "--json", ...args])).out);
    expect((await shown("--operator", "grace")).some(({ partnerId }) => partnerId === null)).toBe(true);
    const part = await shown("--operator", "grace", "--partner", partner.partnerId);
    expect(new Set(part.map(({ partnerId }) => partnerId))).toEqual(new Set([partner.partnerId]));
    const analyst = { kind: "analyst", userId: "a", email: "a@operator.test" };
    const token = { kind: "partner", partnerId: partner.partnerId, clientId: "c", scopes: [] };
    for (const caller of [analyst, token, null])
      await expect(list(caller)).rejects.toMatchObject({ type: "Partner.NotAuthenticated" });
  });

  test("partners see that an operator did it, not who; the operator's command sees who", async () => {
    const { partnerId } = await stage.admin("partner", "create", "--name", "Hooli", "--operator", "grace");
    const user = { kind: "user", userId: "u", email: "u@x.test", role: "Owner", partnerId };
    expect((await list(user)).items).toMatchObject([{ action: "partner.created", who: { id: "operator" } }]);
    const { out } = await adminCommand(stage.call, ["audit", "list", "--partner", String(partnerId)]);
    expect(out).toMatch(/operator grace .*partner\.created/);
  });

  test("over HTTP: for an Owner, page by page, and for nobody else", async () => {
    const read = async (query: string) =>
      (await send("GET", AUDIT + query)).body.value as { items: AuditEntry[]; nextCursor: string };
    const all = await read("?pageSize=200");
    expect(all.items.length).toBeGreaterThan(2);
    expect(new Set(all.items.map((entry) => entry.partnerId))).toEqual(new Set([partner.partnerId]));
    const first = await read("?pageSize=2");
    const second = await read(`?pageSize=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 4));
    const asked = { ...anEntry("profile", partner.partnerId), after: { operator: "grace", reason: "r" } };
    elsewhere.push({ ...asked, who: { kind: "operator", id: "grace", email: null } });
    const [newest] = (await read("?pageSize=1")).items;
    expect(newest).toMatchObject({ who: { id: "operator" }, after: { reason: "r" } });
    expect(JSON.stringify(newest)).not.toContain("grace");
    for (const query of ["?cursor=x", "?pageSize=0", `?partnerId=${partner.partnerId}`])
      expect((await send("GET", AUDIT + query)).status).toBe(400);
    for (const role of ["Developer", "Viewer"]) {
      const other = await stage.cookieOfA(role, partner.partnerId);
      expect((await stage.send("GET", AUDIT, other)).status).toBe(403);
    }
  });

  test("with a trail that cannot be read: 503, never a list with a gap", async () => {
    const owner = { kind: "user", userId: "u", email: "u@x.test", role: "Owner", partnerId: "p" };
    const broken = await startAuthStage({}, { profileProbe: true });
    try {
      await expect(list(owner, {}, broken)).rejects.toMatchObject({ type: "Service.Unavailable" });
    } finally {
      await broken.stop();
    }
  });
});
