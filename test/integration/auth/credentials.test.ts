import { beforeAll, describe, expect, test } from "@jest/globals";
import { makePartnerKeys, type PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { type AssertionWish, tokenForm } from "../../support/builders/assertions.ts";
import { type Answer, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const BASE = "/api/customer/v1/partner-profile/api-credentials";
let keys: PartnerKeys[];
const stage = stageOfFile(startAuthStage);
beforeAll(async () => {
  keys = await Promise.all(["one", "two", "three"].map((commonName) => makePartnerKeys({ commonName })));
});

async function newPartner() {
  const made = await stage.call("auth-token.createPartner", {
    name: "Société Générale d'Import & Export, Établissements Réunis",
    approved: true,
  });
  const cookie = await stage.cookieOfA("Owner", made.partnerId);
  const send = (method: string, path = "", body?: object) => stage.send(method, BASE + path, cookie, body);
  const add = (id: string, index: number) => send("POST", `/${id}/certificates`, { certificate: pem(index) });
  /** The client, with the first certificate. */
  const create = async () => (await send("POST", "", { certificate: pem(0) })).body.value;
  return { ...made, send, add, create };
}

const certificatesIn = ({ body }: Answer): { thumbprint: string }[] => body.value.certificates;
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
    expect(refusalOf(answer)).toEqual([400, "Certificate.Invalid"]);
    expect(answer.body.error.description).toMatch(reason);
    expect(answer.text).not.toContain("BEGIN");
  });
});

describe("certificates of a client", () => {
  test("a second one is added, a third refused, one removed, and the next added again", async () => {
    const { send, add, create } = await newPartner();
    const { id } = await create();
    const second = await add(id, 1);
    expect(certificatesIn(second)).toHaveLength(2);
    expect(refusalOf(await add(id, 2))).toEqual([409, "Certificate.LimitReached"]);

    const path = `/${id}/certificates/${certificatesIn(second)[0]?.thumbprint}`;
    expect(certificatesIn(await send("DELETE", path))).toEqual(certificatesIn(second).slice(1));
    expect(refusalOf(await send("DELETE", path))).toEqual([404, "Certificate.NotFound"]);
    expect(certificatesIn(await add(id, 2))).toHaveLength(2);
  });

  test("the same one twice is there once", async () => {
    const { add, create } = await newPartner();
    expect(certificatesIn(await add((await create()).id, 0))).toHaveLength(1);
  });

  test("three concurrently: never more than two in force", async () => {
    const { add, create } = await newPartner();
    const { id } = await create();
    const answers = await Promise.all([add(id, 1), add(id, 2)]);
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
    const { id } = await owner.create();
    const bodies = method === "POST" ? [{ certificate: pem(1) }, { certificate: "x" }] : [undefined];
    for (const target of [id, "no-such-id"])
      for (const body of bodies)
        expect(refusalOf(await other.send(method, path(target), body))).toEqual([
          404,
          "ApiCredential.NotFound",
        ]);
    expect((await other.send("GET")).body.value.items).toEqual([]);
  });
});

test("revoke ends the client; the next one has the same client id and its own id", async () => {
  const { send, add, create, clientId } = await newPartner();
  const first = await create();
  const revoke = () => send("POST", `/${first.id}/revoke`);
  expect((await revoke()).body.value.status).toBe("Revoked");
  expect([(await revoke()).status, (await add(first.id, 1)).status]).toEqual([200, 404]);
  const second = await create();
  expect(second).toMatchObject({ clientId, status: "Active" });
  expect(second.id).not.toBe(first.id);
  const { items } = (await send("GET")).body.value;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["Active", "Revoked"]);
});

test("token failures show the true reasons, newest first, at most 50, and only to the partner", async () => {
  const { send, create, ...made } = await newPartner();
  const { id } = await create();
  const [own, stranger] = keys;
  if (!own || !stranger) throw new Error("no keys");
  const ask = (wish: Partial<AssertionWish>) =>
    stage.tokenRequest(tokenForm(stage.assertion({ ...own, ...made }, wish)));
  await ask({ key: stranger.privateKey });
  const refused = await ask({ claims: { exp: Math.floor(stage.clock.now() / 1_000) - 60 } });
  const failures = async () => (await send("GET", `/${id}/token-failures`)).body.value.items;
  expect(await failures()).toEqual([
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
  await Promise.all(Array.from({ length: 80 }, () => ask({ key: stranger.privateKey })));
  expect(await failures()).toHaveLength(50);
});
