import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { repetitions } from "../../support/repetitions.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import {
  type DocumentStage,
  PDF,
  put,
  startDocumentStage,
  type Who,
} from "../../support/stage/document-stage.ts";

type Kind = "confirmed" | "uploaded" | "bad" | "unused" | "superseded" | "foreign" | "unknown";

const REFUSALS: [Kind, string][] = [
  ["unknown", "Document.NotFound"],
  ["foreign", "Document.AccessDenied"],
  ["bad", "Document.Rejected"],
  ["unused", "Document.NotUploaded"],
  ["superseded", "Document.NotUploaded"],
];

let stage: DocumentStage;
let storage: Link;

beforeAll(async () => {
  stage = await startDocumentStage({ deaf: true });
  storage = await startLink(stage.s3Endpoint);
  await stage.start({ PBO_S3_ENDPOINT: storage.url, PBO_S3_PUBLIC_ENDPOINT: stage.s3Endpoint });
});
afterAll(async () => {
  await stage.end();
  await storage.close();
});

async function aDocument(customer: Who, kind: Kind): Promise<string> {
  if (kind === "unknown") return randomUUID();
  const owner = kind === "foreign" ? stage.aCustomer() : customer;
  // A slot of its own each.
  const body = { documentCategory: "Other", contentType: "application/pdf", uboId: randomUUID() };
  const link = await stage.link(owner, body);
  if (kind === "superseded") {
    await stage.documents.updateOne(
      { _id: link.documentId },
      { $set: { createdAt: new Date(Date.now() - 60_000) } },
    );
    await stage.link(owner, body);
    await stage.documents.updateOne(
      { uboId: body.uboId, _id: { $ne: link.documentId } },
      { $set: { createdAt: new Date(Date.now() - 30_000) } },
    );
  }
  if (kind !== "unused") await put(link, kind === "bad" ? Buffer.from("not a PDF") : undefined);
  if (kind === "confirmed") await stage.confirm(customer, [link.documentId]);
  return link.documentId;
}

const statusOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await stage.find(id))?.status ?? null));

describe("confirmForCustomer", () => {
  test("uploaded documents: are confirmed at once, and told of by the sweep should the caller fail", async () => {
    const customer = stage.aCustomer();
    const ids = [await aDocument(customer, "uploaded"), await aDocument(customer, "uploaded")];
    const summaries = await stage.confirm(customer, ids);
    expect(summaries.map(({ documentId, status }) => [documentId, status])).toEqual(
      ids.map((id) => [id, "Confirmed"]),
    );
    expect(stage.profile.of(ids[0] ?? "")).toEqual([]);
    stage.clock.ahead = 31_000;
    for (const id of ids) await stage.settled(id, "Confirmed");
    stage.clock.ahead = 0;
    for (const id of ids) expect(stage.profile.of(id)).toHaveLength(1);
  });

  test("confirmed ones again, twice in one list and in capitals: the same answer, nothing changed", async () => {
    const customer = stage.aCustomer();
    const id = await aDocument(customer, "confirmed");
    const before = await stage.find(id);
    const answer = await stage.confirm(customer, [id, id, id.toUpperCase()]);
    expect(answer.map(({ documentId }) => documentId)).toEqual([id]);
    expect((await stage.find(id))?.revision).toBe(before?.revision);
  });

  test("an empty list: is nothing to do", async () => {
    expect(await stage.confirm(stage.aCustomer(), [])).toEqual([]);
  });

  test("an id that is only simulated: is passed over, and the others keep their places in the details", async () => {
    const customer = stage.aCustomer();
    const [simulated, good, foreign] = [
      randomUUID(),
      await aDocument(customer, "uploaded"),
      await aDocument(customer, "foreign"),
    ];
    const also = { simulatedIds: [simulated] };
    await expect(stage.confirm(customer, [simulated, good, foreign], also)).rejects.toMatchObject({
      data: { details: [{ field: "businessDocumentIdList[2]", code: "Document.AccessDenied" }] },
    });
    const answer = await stage.confirm(customer, [simulated, good], also);
    expect(answer.map(({ documentId }) => documentId)).toEqual([good]);
  });

  test("ids of which one is foreign: Document.AccessDenied, and the own document is unchanged", async () => {
    const customer = stage.aCustomer();
    const [good, foreign] = [await aDocument(customer, "uploaded"), await aDocument(customer, "foreign")];
    await expect(stage.confirm(customer, [good, foreign])).rejects.toMatchObject({
      type: "Document.AccessDenied",
      code: 403,
      data: { details: [{ field: "businessDocumentIdList[1]", code: "Document.AccessDenied" }] },
    });
    expect(await stage.find(good)).toMatchObject({ status: "AwaitingUpload", revision: 1 });
  });

  test("storage away: Service.Unavailable, nothing changed", async () => {
    const customer = stage.aCustomer();
    const id = await aDocument(customer, "uploaded");
    storage.set("refuse");
    await expect(stage.confirm(customer, [id])).rejects.toMatchObject({ type: "Service.Unavailable" });
    storage.set("pass");
    expect(await stage.find(id)).toMatchObject({ status: "AwaitingUpload", revision: 1 });
  });

  test("any list: the gravest refusal wins and nothing changes, or every one is confirmed", async () => {
    const kinds = fc.array(
      fc.constantFrom<Kind>("confirmed", "uploaded", "bad", "unused", "superseded", "foreign", "unknown"),
      { minLength: 1, maxLength: 6 },
    );
    const mostlyGood = fc.array(fc.constantFrom<Kind>("confirmed", "uploaded"), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(kinds, mostlyGood), async (list) => {
        const customer = stage.aCustomer();
        const ids = await Promise.all(list.map((kind) => aDocument(customer, kind)));
        const before = await statusOf(ids);
        const refusal = REFUSALS.find(([kind]) => list.includes(kind))?.[1];
        const outcome = await stage.confirm(customer, ids).then(
          (documents) => documents.map(({ documentId }) => documentId),
          ({ type }) => type,
        );
        expect(outcome).toEqual(refusal ?? ids);
        expect(await statusOf(ids)).toEqual(refusal ? before : ids.map(() => "Confirmed"));
      }),
      { numRuns: repetitions({ short: 15, nightly: 40 }) },
    );
  });
});

describe("signViewLink", () => {
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => "a link",
      (error: { type: string; code: number }) => `${error.code} ${error.type}`,
    );

  test("a confirmed file: exactly it, under our type and name, for a minute", async () => {
    const customer = stage.aCustomer();
    const id = await aDocument(customer, "confirmed");
    const link = await stage.view(customer, id);
    expect(link).toEqual({
      url: expect.stringContaining(stage.s3Endpoint),
      contentType: "application/pdf",
      disposition: "inline",
      fileName: "Other.pdf",
      expiresAt: expect.stringMatching(/\.000Z$/),
    });
    const url = new URL(link.url);
    expect(url.pathname.endsWith((await stage.find(id))?.confirmedKey ?? "none")).toBe(true);
    expect(url.searchParams.get("X-Amz-Expires")).toBe("60");
    const answer = await fetch(link.url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(answer.headers.get("content-disposition")).toBe('inline; filename="Other.pdf"');
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PDF);
    const forged = link.url.replace("application%2Fpdf", "text%2Fhtml");
    expect((await fetch(forged)).status).toBe(403);
    stage.clock.ahead = -61_000;
    const ended = await stage.view(customer, id).finally(() => {
      stage.clock.ahead = 0;
    });
    expect((await fetch(ended.url)).status).toBe(403);
  });

  test("every file that is not a confirmed one of this customer is refused", async () => {
    const customer = stage.aCustomer();
    const of = (kind: Kind) => aDocument(customer, kind);
    expect(await codeOf(stage.view(customer, await of("unknown")))).toBe("404 Document.NotFound");
    expect(await codeOf(stage.view(customer, await of("foreign")))).toBe("404 Document.NotFound");
    expect(await codeOf(stage.view(customer, await of("unused")))).toBe("409 Document.NotUploaded");
    const bad = await of("unused");
    await stage.documents.updateOne({ _id: bad }, { $set: { status: "Rejected", reason: "WrongType" } });
    expect(await codeOf(stage.view(customer, bad))).toBe("409 Document.Rejected");
  });

  test("another file in its place, and none: no link to what was not confirmed", async () => {
    const customer = stage.aCustomer();
    const id = await aDocument(customer, "confirmed");
    await stage.documents.updateOne({ _id: id }, { $set: { etag: "0".repeat(32) } });
    expect(await codeOf(stage.view(customer, id))).toBe("409 Document.NotUploaded");
    await stage.documents.updateOne({ _id: id }, { $set: { confirmedKey: "no/such/file.pdf" } });
    expect(await codeOf(stage.view(customer, id))).toBe("409 Document.NotUploaded");
  });

  test("storage away: 503, and no link to nowhere", async () => {
    const customer = stage.aCustomer();
    const id = await aDocument(customer, "confirmed");
    storage.set("refuse");
    try {
      expect(await codeOf(stage.view(customer, id))).toBe("503 Service.Unavailable");
    } finally {
      storage.set("pass");
    }
  });
});
