/** An upload link with an Idempotency-Key: the key is claimed first, the document stored after it, and whatever dies between the two is finished by the same request. */
import { describe, expect, test } from "@jest/globals";
import { createUploadLink } from "../../../services/document/create-upload-link.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { MAX_LINKS } from "../../../services/document/link.rules.ts";
import type { UploadQuestion } from "../../../shared/contract/actions/profile.ts";
import { AppError } from "../../../shared/errors.ts";
import { orderedId, randomId } from "../../../shared/ids.ts";

const killed = new Error("killed");
const BODY = { documentCategory: "BankStatement", contentType: "application/pdf" };

function setUp() {
  const documents = new Map<string, DocumentRecord>();
  const claims = new Map<string, { fingerprint: string; documentId: string }>();
  const script = {
    links: 0,
    storage: async (): Promise<void> => undefined,
    refusal: null as AppError | null,
    /** The line after which the process dies. */
    dieAfter: null as "claim" | "insert" | null,
  };
  const customerId = randomId();
  const dieAfter = (line: "claim" | "insert") => {
    if (script.dieAfter !== line) return;
    script.dieAfter = null;
    throw killed;
  };
  const deps = {
    repository: {
      async insert(record: DocumentRecord) {
        if (!documents.has(record._id)) documents.set(record._id, record);
        dieAfter("insert");
      },
      find: async (id: string) => documents.get(id) ?? null,
      countOfCustomer: async () => script.links,
    },
    storage: {
      signUpload: async (key: string, _headers: object, at: Date) => `${key} ${at.toISOString()}`,
      answers: () => script.storage(),
    },
    async checkUpload({ keyed }: UploadQuestion) {
      const first = keyed && claims.get(keyed.key);
      if (first && first.fingerprint !== keyed.fingerprint)
        throw new AppError("Idempotency.KeyReused", "used");
      if (first) return first.documentId;
      if (script.refusal) throw script.refusal;
      if (!keyed?.documentId) return null;
      claims.set(keyed.key, { fingerprint: keyed.fingerprint, documentId: keyed.documentId });
      dieAfter("claim");
      return keyed.documentId;
    },
    clock: { now: Date.now },
    looks: { firstMs: 1_000, mostMs: 1_000 },
  } as unknown as Parameters<typeof createUploadLink>[0];
  const ask = (body: object = BODY, key: string | null = "k", callId: string | null = null) =>
    createUploadLink(deps, {
      ...{ customerId, partnerId: "p1", body, idempotencyKey: key, callId },
      ...{ isStrict: false, requestId: "r", traceparent: "t" },
    });
  return { ask, script, documents, claims };
}

describe("killed", () => {
  test.each(["claim", "insert"] as const)(
    "after the %s: the same request finishes it, with one document",
    async (line) => {
      const { ask, script, documents, claims } = setUp();
      script.dieAfter = line;
      await expect(ask()).rejects.toBe(killed);
      const again = await ask();
      const [claim] = claims.values();
      expect([again.link.documentId, [...documents.keys()]]).toEqual([
        claim?.documentId,
        [claim?.documentId],
      ]);
      expect(await ask()).toEqual({ ...again, isReplay: true });
      expect(documents.size).toBe(1);
    },
  );

  test("a call that is repeated between our processes: its own document, no replay", async () => {
    const { ask, script, documents } = setUp();
    const callId = orderedId(Date.now());
    script.dieAfter = "claim";
    await expect(ask(BODY, "k", callId)).rejects.toBe(killed);
    expect(await ask(BODY, "k", callId)).toMatchObject({ link: { documentId: callId }, isReplay: false });
    expect(documents.size).toBe(1);
  });
});

describe("a refusal", () => {
  test.each<[string, Partial<ReturnType<typeof setUp>["script"]>, object]>([
    ["an invalid body", {}, { ...BODY, contentType: "text/html" }],
    ["a locked customer", { refusal: new AppError("Customer.UnderReview", "no") }, BODY],
    ["too many links", { links: MAX_LINKS }, BODY],
    ["storage away", { storage: () => Promise.reject(new Error("away")) }, BODY],
  ])("%s: leaves the key unused", async (_name, spoilt, body) => {
    const { ask, script, claims, documents } = setUp();
    const good = { ...script };
    Object.assign(script, spoilt);
    await expect(ask(body)).rejects.toThrow();
    expect([claims.size, documents.size]).toEqual([0, 0]);
    Object.assign(script, good);
    expect(await ask({ ...BODY, documentCategory: "Other" })).toMatchObject({ isReplay: false });
  });
});
