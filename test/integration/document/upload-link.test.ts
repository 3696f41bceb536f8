import { createHash, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { AppError } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import { publicError } from "../../../shared/moleculer/action-edge.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import {
  A_BODY,
  type DocumentStage,
  PDF,
  put,
  startDocumentStage,
} from "../../support/stage/document-stage.ts";

let stage: DocumentStage;
let storage: Link;

beforeAll(async () => {
  stage = await startDocumentStage();
  storage = await startLink(stage.s3Endpoint);
  await stage.start({ PBO_S3_ENDPOINT: storage.url, PBO_S3_PUBLIC_ENDPOINT: stage.s3Endpoint });
});
afterEach(() => {
  stage.profile.refusal = null;
  stage.clock.ahead = 0;
});
afterAll(async () => {
  await stage.end();
  await storage.close();
});

const written = () => stage.documents.countDocuments({});

describe("a link", () => {
  test("is what DECISIONS says, leads to the public address and stores one record", async () => {
    const customer = stage.aCustomer();
    const uboId = randomUUID();
    const before = Date.now();
    const link = await stage.link(customer, { documentCategory: "Selfie", contentType: "image/png", uboId });
    const after = Date.now();
    expect(link).toEqual({
      documentId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      uploadUrl: expect.stringContaining(stage.s3Endpoint),
      method: "PUT",
      headers: { "Content-Type": "image/png" },
      expiresAt: expect.stringMatching(/\.000Z$/),
      expiresInSeconds: 1_800,
      maxSizeBytes: 20_971_520,
      documentCategory: "Selfie",
      contentType: "image/png",
      uboId,
    });
    // It is given in whole seconds.
    expect(Date.parse(link.expiresAt)).toBeGreaterThan(before + 1_799_000);
    expect(Date.parse(link.expiresAt)).toBeLessThan(after + 1_801_000);
    const { customerId, partnerId } = customer;
    const url = new URL(link.uploadUrl);
    expect(url.pathname).toBe(
      `/${stage.bucket}/uploads/${partnerId}/${customerId}/${uboId}/${link.documentId}/Selfie.png`,
    );
    expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-type;host");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("1800");
    expect(await stage.find(link.documentId)).toMatchObject({ status: "AwaitingUpload", ...customer, uboId });
    expect(stage.profile.asked.at(-1)).toEqual({ ...customer, uboId, keyed: null });
  });

  test("never takes its owner, its customer, its state or its place in storage from the body", async () => {
    const [customer, stranger] = [stage.aCustomer(), stage.aCustomer()];
    const forged = {
      ...{ ...stranger, objectKey: "../../x", requestId: "forged", traceparent: "forged", revision: 9 },
      ...{ fileName: "../../forged", status: "Confirmed", _id: "forged", version: 9 },
    };
    for (const more of [forged, { customerId: "../../evil" }]) {
      const link = await stage.link(customer, { ...A_BODY, ...more });
      const { partnerId, customerId } = customer;
      expect(new URL(link.uploadUrl).pathname).toBe(
        `/${stage.bucket}/uploads/${partnerId}/${customerId}/business/${link.documentId}/BankStatement.pdf`,
      );
      const record = await stage.find(link.documentId);
      const own = { _id: link.documentId, status: "AwaitingUpload", partnerId, customerId, uboId: null };
      expect(record).toMatchObject({ ...own, revision: 1 });
      expect(JSON.stringify(record)).not.toContain("forged");
      expect((await put(link)).status).toBe(200);
      await stage.settled(link.documentId, "Confirmed");
    }
    expect(await stage.documents.countDocuments({ customerId: stranger.customerId })).toBe(0);
  });

  test("is about the person as they are known: in lower case, also by the deprecated name beside a null", async () => {
    const uboId = randomUUID();
    for (const body of [{ uboId: uboId.toUpperCase() }, { uboId: null, ownershipDetailId: uboId }]) {
      const link = await stage.link(stage.aCustomer(), { ...A_BODY, documentCategory: "Selfie", ...body });
      expect(link.uboId).toBe(uboId);
      expect(await stage.find(link.documentId)).toMatchObject({ uboId });
      expect(new URL(link.uploadUrl).pathname).toContain(`/${uboId}/`);
    }
  });

  test("by the deprecated name: is the same link, and the answer says so", async () => {
    const uboId = randomUUID();
    for (const body of [{ ownershipDetailId: uboId }, { uboId, ownershipDetailId: uboId }]) {
      const meta: Record<string, unknown> = {};
      const link = await stage.link(stage.aCustomer(), { ...A_BODY, ...body }, meta);
      expect(link.uboId).toBe(uboId);
      expect(meta.$responseHeaders).toEqual({ Deprecation: expect.stringMatching(/^@\d+$/) });
    }
    const meta: Record<string, unknown> = {};
    await stage.link(stage.aCustomer(), { ...A_BODY, uboId }, meta);
    expect(meta.$responseHeaders).toBeUndefined();
  });
});

describe("a link for one file only", () => {
  const sha256 = createHash("sha256").update(PDF);
  const hex = sha256.copy().digest("hex");
  const sealed = { "Content-Length": String(PDF.length), "x-amz-checksum-sha256": sha256.digest("base64") };
  const changed = Buffer.from(PDF.toString("latin1").replace("1.7", "1.6"), "latin1");

  test("names its size and digest as headers, and takes that file and no other", async () => {
    const body = { ...A_BODY, sizeBytes: PDF.length, sha256: hex.toUpperCase() };
    const link = await stage.link(stage.aCustomer(), body);
    expect(link.headers).toEqual({ "Content-Type": "application/pdf", ...sealed });
    expect(new URL(link.uploadUrl).searchParams.get("X-Amz-SignedHeaders")).toBe(
      "content-length;content-type;host;x-amz-checksum-sha256",
    );
    const otherDigest = { ...link.headers, "x-amz-checksum-sha256": createHash("sha256").digest("base64") };
    const { "x-amz-checksum-sha256": _, ...withoutDigest } = link.headers;
    const longer = Buffer.concat([PDF, Buffer.from("\n")]);
    const attempts = [
      put({ ...link, headers: { ...link.headers, "Content-Length": String(longer.length) } }, longer),
      put({ ...link, headers: otherDigest }),
      put({ ...link, headers: withoutDigest }),
      put(link, changed),
    ];
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([403, 403, 403, 400]);
    expect(await stage.find(link.documentId)).toMatchObject({ status: "AwaitingUpload" });
    expect((await put(link)).status).toBe(200);
    await stage.settled(link.documentId, "Confirmed");
  });

  test("with one of the two: binds that one", async () => {
    const bySize = await stage.link(stage.aCustomer(), { ...A_BODY, sizeBytes: PDF.length, sha256: null });
    expect(bySize.headers).toEqual({
      "Content-Type": "application/pdf",
      "Content-Length": sealed["Content-Length"],
    });
    expect((await put(bySize, changed)).status).toBe(200);
    const byDigest = await stage.link(stage.aCustomer(), { ...A_BODY, sha256: hex });
    expect((await put(byDigest, changed)).status).toBe(400);
  });
});

describe("a request that is made again because an instance died", () => {
  test("gets the same link, and there is one record", async () => {
    const customer = stage.aCustomer();
    const callId = orderedId(Date.now());
    const first = await stage.link(customer, A_BODY, { callId });
    const before = await written();
    expect(await stage.link(customer, A_BODY, { callId })).toEqual(first);
    expect(first.documentId).toBe(callId);
    expect(await written()).toBe(before);
    expect((await put(first)).status).toBe(200);
  });

  test("never gets the record of another customer", async () => {
    const callId = orderedId(Date.now());
    await stage.link(stage.aCustomer(), A_BODY, { callId });
    await expect(stage.link(stage.aCustomer(), A_BODY, { callId })).rejects.toMatchObject({ code: 500 });
  });

  test.each([
    ["no UUID", "x"],
    ["from a clock that is far off", orderedId(Date.now() - 120_000)],
  ])("with an id of its call that is %s: gets an id made here", async (_, callId) => {
    expect((await stage.link(stage.aCustomer(), A_BODY, { callId })).documentId).not.toBe(callId);
  });
});

test("concurrent links are one question; a customer that cannot be read fails its own link alone", async () => {
  const customers = [stage.aCustomer(), stage.aCustomer(), stage.aCustomer()];
  const before = stage.profile.questionCalls;
  expect(await stage.linkTogether(customers)).toEqual([200, 200, 200]);
  expect(stage.profile.questionCalls).toBe(before + 1);
  stage.profile.unreadable = customers[1]?.customerId ?? null;
  expect(await stage.linkTogether(customers)).toEqual([200, 500, 200]);
  stage.profile.unreadable = null;
});

describe("a request with an Idempotency-Key", () => {
  const ask = async (customer: ReturnType<typeof stage.aCustomer>, idempotencyKey: string, body = A_BODY) => {
    const meta: { $responseHeaders?: Record<string, string> } = {};
    const link = await stage.link(customer, body, meta, { idempotencyKey });
    return { link, isReplay: meta.$responseHeaders?.["Idempotent-Replayed"] === "true" };
  };

  test("again: the first answer, also when the customer is locked by now; another request: 422", async () => {
    const customer = stage.aCustomer();
    const first = await ask(customer, "key-1");
    const before = await written();
    stage.profile.refusal = new AppError("Customer.UnderReview", "locked");
    expect(await ask(customer, "key-1")).toEqual({ ...first, isReplay: true });
    const other = { ...A_BODY, documentCategory: "Other" };
    await expect(ask(customer, "key-1", other)).rejects.toMatchObject({ code: 422 });
    const neighbour = { ...stage.aCustomer(), partnerId: customer.partnerId };
    await expect(ask(neighbour, "key-1")).rejects.toMatchObject({ type: "Idempotency.KeyReused" });
    expect(await written()).toBe(before);
  });

  test("after a day, and of another partner: a new link", async () => {
    const customer = stage.aCustomer();
    const first = await ask(customer, "key-2");
    stage.clock.ahead = 86_400_000;
    const next = await ask(customer, "key-2");
    expect(next.link.documentId).not.toBe(first.link.documentId);
    expect((await ask(stage.aCustomer(), "key-2")).isReplay).toBe(false);
  });

  test("twenty at once: one record, equal answers for those that are not told to wait", async () => {
    const customer = stage.aCustomer();
    const before = await written();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => ask(customer, "key-3")));
    expect(await written()).toBe(before + 1);
    const links = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.link] : []));
    expect(new Set(links.map(({ uploadUrl }) => uploadUrl)).size).toBe(1);
    for (const one of outcomes)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ type: "Idempotency.InProgress" });
  });
});

test("a category about the business that names a person: taken, with a warning; refused to a strict caller", async () => {
  const body = { ...A_BODY, documentCategory: "BusinessLicense", uboId: randomUUID(), fileName: "x.pdf" };
  const meta: { $warnings?: object[] } = {};
  await stage.link(stage.aCustomer(), body, meta);
  expect(meta.$warnings).toMatchObject([{ field: "uboId", code: "Document.NotForPerson" }]);
  const refusal = { code: 400, data: { details: [{ field: "uboId", rule: "Document.NotForPerson" }] } };
  const strict = stage.link(stage.aCustomer(), body, {}, { isStrict: true });
  await expect(strict).rejects.toMatchObject(refusal);
});

describe("storage refuses", () => {
  test("another Content-Type, another key, another signature, a longer life", async () => {
    const link = await stage.link(stage.aCustomer());
    const changed = (change: (url: URL) => void) => {
      const url = new URL(link.uploadUrl);
      change(url);
      return { ...link, uploadUrl: url.href };
    };
    const attempts = [
      put(link, undefined, "image/png"),
      put(link, undefined, "application/pdf; charset=utf-8"),
      put(changed((url) => (url.pathname = url.pathname.replace("BankStatement", "Other")))),
      put(changed((url) => url.searchParams.set("X-Amz-Signature", "0".repeat(64)))),
      put(changed((url) => url.searchParams.set("X-Amz-Expires", "604800"))),
      put(changed((url) => url.searchParams.set("X-Amz-SignedHeaders", "host"))),
    ];
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(403);
    expect(await stage.find(link.documentId)).toMatchObject({ status: "AwaitingUpload" });
  });

  test("an expired link", async () => {
    stage.clock.ahead = -1_801_000;
    const link = await stage.link(stage.aCustomer());
    expect((await put(link)).status).toBe(403);
  });
});

describe("a request that is refused writes nothing", () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  test.each<[string, unknown, string[]]>([
    ["no body", undefined, [""]],
    ["an empty body", {}, ["documentCategory", "contentType"]],
    ["an unknown category", { ...A_BODY, documentCategory: "Passport" }, ["documentCategory"]],
    ["an unknown type", { ...A_BODY, contentType: "image/gif" }, ["contentType"]],
    ["an operator for a value", { ...A_BODY, contentType: { $ne: null } }, ["contentType"]],
    ["a person category without a person", { ...A_BODY, documentCategory: "Selfie" }, ["uboId"]],
    ["a uboId that is none", { ...A_BODY, uboId: "x" }, ["uboId"]],
    ["a size above the largest", { ...A_BODY, sizeBytes: 20_971_521 }, ["sizeBytes"]],
    ["a size that is no whole number", { ...A_BODY, sizeBytes: "100" }, ["sizeBytes"]],
    ["a digest that is none", { ...A_BODY, sha256: "00" }, ["sha256"]],
    ["two persons", { ...A_BODY, uboId: id, ownershipDetailId: id.replace("7", "8") }, ["ownershipDetailId"]],
  ])("%s: ValidationControl.Error", async (_, body, fields) => {
    const count = await written();
    const error = await stage.link(stage.aCustomer(), body === undefined ? null : body).catch((e) => e);
    expect(error).toMatchObject({ type: "ValidationControl.Error", code: 400 });
    expect(error.data.details.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(await written()).toBe(count);
  });

  test.each([
    ["Customer.NotFound", 404],
    ["Partner.NotAuthorized", 403],
    ["Customer.UnderReview", 409],
    ["Customer.VerificationClosed", 409],
    ["Ubo.NotFound", 400],
  ] as const)("the profile service says %s: the call fails with it", async (type, code) => {
    const count = await written();
    stage.profile.refusal = new AppError(type, "no");
    await expect(stage.link(stage.aCustomer())).rejects.toMatchObject({ type, code });
    expect(await written()).toBe(count);
  });

  test("a customer who has had 2,000 links: ValidationControl.Error; another still gets one", async () => {
    const customer = stage.aCustomer();
    const last = await stage.link(customer);
    await stage.documents.insertMany(Array.from({ length: 1_998 }, () => aDocument(customer)));
    await stage.link(customer);
    const count = await written();
    const error = await stage.link(customer).catch((e) => e);
    expect(error).toMatchObject({ type: "ValidationControl.Error", code: 400 });
    expect(error.data.details).toEqual([
      { field: "", code: "ValidationControl.Error", message: expect.stringContaining("2000") },
    ]);
    expect(await written()).toBe(count);
    expect((await put(last)).status).toBe(200);
    await stage.link(stage.aCustomer());
  });

  test("a customer id that is none: Customer.NotFound", async () => {
    const refused = stage.link({ customerId: "1", partnerId: randomUUID() }, {});
    await expect(refused).rejects.toMatchObject({ type: "Customer.NotFound", code: 404 });
  });

  test("a bad body for a stranger's customer: the stranger is refused first; for a locked one, the body", async () => {
    stage.profile.refusal = new AppError("Partner.NotAuthorized", "no");
    await expect(stage.link(stage.aCustomer(), {})).rejects.toMatchObject({ type: "Partner.NotAuthorized" });
    stage.profile.refusal = new AppError("Customer.UnderReview", "no");
    await expect(stage.link(stage.aCustomer(), {})).rejects.toMatchObject({
      type: "ValidationControl.Error",
    });
  });
});

describe("storage is away", () => {
  const away = { type: "Service.Unavailable", code: 503, data: { retryAfterSeconds: 1 } };
  /** As the gateway shows it: an instance whose answers were all failures is not asked for a moment. */
  const refusal = () =>
    stage.link(stage.aCustomer()).then(
      () => null,
      (error) => publicError(error),
    );
  const isRefused = async () => (await refusal())?.type === away.type;

  test("it died: the very next request gets 503, and nothing is written; links again when it is back", async () => {
    await stage.link(stage.aCustomer());
    const count = await written();
    storage.set("refuse");
    for (let i = 0; i < 3; i += 1) await expect(stage.link(stage.aCustomer())).rejects.toMatchObject(away);
    expect(await written()).toBe(count);
    storage.set("pass");
    await stage.until(() => stage.link(stage.aCustomer()), "a link");
  });

  test("it falls silent: 503 before the deadline of the call, and nothing is written", async () => {
    storage.set("hold");
    await stage.until(isRefused, "the silence to be noticed");
    const count = await written();
    expect(await refusal()).toMatchObject(away);
    expect(await written()).toBe(count);
    storage.set("pass");
    await stage.until(() => stage.link(stage.aCustomer()), "a link");
  });
});
