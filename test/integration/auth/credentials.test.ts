/** The dashboard's routes for API credentials. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { makePartnerKeys, type PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { type Answer, type AuthStage, startAuthStage } from "../../support/stage/auth-stage.ts";

const BASE = "/api/customer/v1/partner-profile/api-credentials";
let stage: AuthStage;
let keys: PartnerKeys[];
beforeAll(async () => {
  stage = await startAuthStage();
  keys = await Promise.all(["one", "two", "three"].map((commonName) => makePartnerKeys({ commonName })));
});
afterAll(() => stage?.stop());

async function newPartner() {
  const made = await stage.call("auth-token.createPartner", {
    name: "Société Générale d'Import & Export, Établissements Réunis",
    approved: true,
  });
  const cookie = await stage.cookie(await stage.user(made.partnerId, "Owner"));
  const send = (method: string, path = "", body?: object): Promise<Answer> =>
    stage.request(BASE + path, {
      method,
      headers: { cookie, ...(body ? { "Content-Type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return { ...made, cookie, send };
}

type Credential = { id: string; clientId: string; status: string; certificates: { thumbprint: string }[] };
const credentialIn = ({ body }: Answer): Credential => body.value as Credential;
const pem = (index: number): string => keys[index]?.certificatePem ?? "";

describe("POST api-credentials", () => {
  test("makes the client with its first certificate and answers what was decided", async () => {
    const { send, clientId, partnerId } = await newPartner();
    const answer = await send("POST", "", { certificate: pem(0) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      isSuccess: true,
      error: null,
      value: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        clientId,
        status: "Active",
        createdAt: expect.stringMatching(/Z$/),
        revokedAt: null,
        certificates: [
          {
            thumbprint: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
            subject: "CN=one",
            notBefore: expect.stringMatching(/Z$/),
            notAfter: expect.stringMatching(/Z$/),
          },
        ],
      },
    });
    expect(clientId).toBe(
      `societe-generale-d-import-export-etablis-${partnerId.replaceAll("-", "").slice(0, 12)}`,
    );
  });

  test("with one in force: 409 ApiCredential.Exists, also when two come at once", async () => {
    const { send } = await newPartner();
    const answers = await Promise.all(
      [0, 1, 2].map((index) => send("POST", "", { certificate: pem(index) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ value: null, error: { code: "ApiCredential.Exists" } });
  });

  // Every other fault: unit/auth-token/certificate.rules.
  const bad: [string, RegExp, () => string][] = [
    ["text", /exactly one PEM block/, () => "hello"],
    ["a certificate and its private key", /private key/, () => pem(0) + keys[0]?.privateKeyPem],
  ];

  test.each(bad)("%s: 400 Certificate.Invalid with the reason", async (_name, reason, certificate) => {
    const { send } = await newPartner();
    const answer = await send("POST", "", { certificate: certificate() });
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: "Certificate.Invalid" }]);
    expect((answer.body.error as { description: string }).description).toMatch(reason);
    expect(answer.text).not.toContain("BEGIN");
  });
});

describe("certificates of a client", () => {
  test("a second one is added, a third refused, one removed, and the next added again", async () => {
    const { send } = await newPartner();
    const { id } = credentialIn(await send("POST", "", { certificate: pem(0) }));
    const second = await send("POST", `/${id}/certificates`, { certificate: pem(1) });
    expect(credentialIn(second).certificates).toHaveLength(2);
    const third = await send("POST", `/${id}/certificates`, { certificate: pem(2) });
    expect([third.status, third.body.error]).toMatchObject([409, { code: "Certificate.LimitReached" }]);

    const first = credentialIn(second).certificates[0]?.thumbprint;
    const removed = await send("DELETE", `/${id}/certificates/${first}`);
    expect(credentialIn(removed).certificates.map(({ thumbprint }) => thumbprint)).not.toContain(first);
    const again = await send("DELETE", `/${id}/certificates/${first}`);
    expect([again.status, again.body.error]).toMatchObject([404, { code: "Certificate.NotFound" }]);
    expect(
      credentialIn(await send("POST", `/${id}/certificates`, { certificate: pem(2) })).certificates,
    ).toHaveLength(2);
  });

  test("the same one twice is there once", async () => {
    const { send } = await newPartner();
    const { id } = credentialIn(await send("POST", "", { certificate: pem(0) }));
    const answer = await send("POST", `/${id}/certificates`, { certificate: pem(0) });
    expect([answer.status, credentialIn(answer).certificates.length]).toEqual([200, 1]);
  });

  test("three at once: never more than two in force", async () => {
    const { send } = await newPartner();
    const { id } = credentialIn(await send("POST", "", { certificate: pem(0) }));
    const answers = await Promise.all(
      [1, 2].map((index) => send("POST", `/${id}/certificates`, { certificate: pem(index) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("another partner's client", () => {
  test.each([
    ["POST", (id: string) => `/${id}/certificates`],
    ["POST", (id: string) => `/${id}/revoke`],
    ["DELETE", (id: string) => `/${id}/certificates/x`],
    ["GET", (id: string) => `/${id}/token-failures`],
  ])("%s: 404 ApiCredential.NotFound", async (method, path) => {
    const [owner, other] = [await newPartner(), await newPartner()];
    const { id } = credentialIn(await owner.send("POST", "", { certificate: pem(0) }));
    const bodies = method === "POST" ? [{ certificate: pem(1) }, { certificate: "x" }] : [undefined];
    for (const target of [id, "no-such-id"])
      for (const body of bodies) {
        const answer = await other.send(method, path(target), body);
        expect([answer.status, answer.body.error]).toMatchObject([404, { code: "ApiCredential.NotFound" }]);
      }
    expect(((await other.send("GET")).body.value as { items: unknown[] }).items).toEqual([]);
  });
});

describe("revoke", () => {
  test("ends the client; the next one has the same client id and its own id", async () => {
    const { send, clientId } = await newPartner();
    const first = credentialIn(await send("POST", "", { certificate: pem(0) }));
    expect(credentialIn(await send("POST", `/${first.id}/revoke`)).status).toBe("Revoked");
    expect((await send("POST", `/${first.id}/revoke`)).status).toBe(200);
    expect((await send("POST", `/${first.id}/certificates`, { certificate: pem(1) })).status).toBe(404);
    const second = credentialIn(await send("POST", "", { certificate: pem(0) }));
    expect(second).toMatchObject({ clientId, status: "Active" });
    expect(second.id).not.toBe(first.id);
    const { items } = (await send("GET")).body.value as { items: Credential[] };
    expect(items.map(({ status }) => status)).toEqual(["Active", "Revoked"]);
  });
});

describe("GET token-failures", () => {
  test("tells the true reasons, newest first, at most 50, and only to the partner", async () => {
    const { send, clientId } = await newPartner();
    const { id } = credentialIn(await send("POST", "", { certificate: pem(0) }));
    const [own, stranger] = [keys[0]?.privateKey, keys[1]?.privateKey];
    if (!own || !stranger) throw new Error("no keys");
    const partner = {
      clientId,
      privateKey: own,
      partnerId: "",
      name: "",
      certificatePem: "",
      privateKeyPem: "",
    };
    await stage.tokenRequest(tokenForm(stage.assertion(partner, { key: stranger })));
    const expired = stage.assertion(partner, { claims: { exp: Math.floor(stage.clock.now() / 1_000) - 60 } });
    const refused = await stage.tokenRequest(tokenForm(expired));
    const { items } = (await send("GET", `/${id}/token-failures`)).body.value as { items: object[] };
    expect(items).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        reason: "Expired",
        message: expect.stringMatching(/^The assertion expired 6\d s ago\.$/),
        requestId: refused.headers.get("svc-request-id"),
      },
      {
        at: expect.any(String),
        reason: "SignatureInvalid",
        message: expect.any(String),
        requestId: expect.any(String),
      },
    ]);

    const flood = Array.from({ length: 80 }, () =>
      stage.tokenRequest(tokenForm(stage.assertion(partner, { key: stranger }))),
    );
    await Promise.all(flood);
    const after = (await send("GET", `/${id}/token-failures`)).body.value as { items: object[] };
    expect(after.items).toHaveLength(50);
  });
});
