import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { UploadLink } from "../../../shared/contract/answers/document.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type DocumentStage, put, startDocumentStage } from "../../support/stage/document-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const FILES = repetitions({ short: 15, nightly: 100 });

let stage: DocumentStage;

const links = (count: number): Promise<UploadLink[]> =>
  Promise.all(Array.from({ length: count }, () => stage.link(stage.aCustomer())));

async function uploadAll(all: readonly UploadLink[]): Promise<void> {
  for (const response of await Promise.all(all.map((link) => put(link)))) expect(response.status).toBe(200);
}

async function allConfirmed(all: readonly UploadLink[]): Promise<void> {
  await waitFor(
    async () =>
      (await stage.documents.countDocuments({
        _id: { $in: all.map(({ documentId }) => documentId) },
        status: "Confirmed",
        announcePending: false,
      })) === all.length,
    { what: "all documents to be confirmed" },
  );
}

async function allConfirmedOnce(all: readonly UploadLink[]): Promise<void> {
  await allConfirmed(all);
  for (const { documentId } of all) expect(stage.profile.of(documentId)).toHaveLength(1);
}

describe("storage tells a stream", () => {
  beforeEach(async () => {
    stage = await startDocumentStage();
  });
  afterEach(() => stage.end());

  test(`${FILES} files arrive while the service is down: all are confirmed after it returns, each told once`, async () => {
    await stage.start();
    const all = await links(FILES);
    await stage.stop();
    await uploadAll(all);
    await stage.until(async () => (await stage.notices()).waiting === FILES, "all notices to wait");
    expect(await stage.documents.countDocuments({ status: "AwaitingUpload" })).toBe(FILES);
    await stage.start();
    await allConfirmedOnce(all);
  });

  test("the stream was wiped, notices and all: the sweep finds the files", async () => {
    await stage.start();
    const all = await links(20);
    await stage.stop();
    await uploadAll(all);
    await stage.until(async () => (await stage.notices()).waiting === 20, "20 notices to wait");
    await stage.wipeStream();
    stage.clock.ahead = 25_000;
    await stage.start();
    await allConfirmedOnce(all);
    // Not more than those of the copies, which nobody needs.
    expect((await stage.notices()).last).toBeLessThanOrEqual(20);
  });

  test("the stream is wiped while the service runs: later notices arrive again", async () => {
    await stage.start();
    await stage.wipeStream();
    const [link] = await links(1);
    if (!link) throw new Error("no link");
    await uploadAll([link]);
    await allConfirmedOnce([link]);
  });

  test("two services at once: each file is confirmed once and every one is told", async () => {
    await stage.start();
    await stage.start();
    const all = await links(30);
    await uploadAll(all);
    await allConfirmed(all);
    // A process that is slow to note its report may be overtaken: a repeated report is the same.
    for (const { documentId } of all)
      expect(new Set(stage.profile.of(documentId).map((told) => JSON.stringify(told.document))).size).toBe(1);
  });
});

describe("storage tells no stream", () => {
  beforeAll(async () => {
    stage = await startDocumentStage({ deaf: true });
  });
  afterEach(() => stage.stop());
  afterAll(() => stage.end());

  test("looked for often enough: the sweep alone finds every file", async () => {
    await stage.start({ PBO_DOCUMENT_FIRST_LOOK_MS: "100", PBO_DOCUMENT_LOOK_MS: "100" });
    const all = await links(10);
    await uploadAll(all);
    await allConfirmedOnce(all);
  });

  describe("but tells by HTTP", () => {
    const told = (bucket: string, keys: readonly string[]) => ({
      Records: keys.map((key) => ({
        eventName: "ObjectCreated:Put",
        s3: { bucket: { name: bucket }, object: { key } },
      })),
    });
    const tell = (message: unknown) => stage.callAs("gateway", "document.takeNotices", { message });
    const keyOf = async ({ documentId }: UploadLink) => (await stage.find(documentId))?.objectKey ?? "";

    test("a late notification confirms the document that it names", async () => {
      await stage.start();
      const all = await links(3);
      await uploadAll(all);
      const keys = await Promise.all(all.map(keyOf));
      expect(await tell(told(stage.bucket, keys))).toEqual({ documents: 3 });
      await allConfirmedOnce(all);
      expect(await tell(told(stage.bucket, keys))).toEqual({ documents: 3 });
      await allConfirmedOnce(all);
    });

    test("another bucket, somebody else's key or another document's: refused, and nothing is looked at", async () => {
      await stage.start();
      const [link, other] = await links(2);
      if (!link || !other) throw new Error("no link");
      const [key, otherKey] = [await keyOf(link), await keyOf(other)];
      const forged = key.replace(link.documentId, other.documentId);
      const dueBefore = await stage.documents.distinct("dueAt");
      for (const message of [
        told("another", [key]),
        told(stage.bucket, ["reports/2026/january.pdf"]),
        told(stage.bucket, [forged]),
        told(stage.bucket, [otherKey.replace(/[^/]+$/, "x")]),
        { hello: "world" },
        null,
      ])
        await expect(tell(message)).rejects.toMatchObject({ type: "ValidationControl.Error" });
      expect(await stage.documents.distinct("dueAt")).toEqual(dueBefore);
    });

    test("a subscription to confirm is left to a person", async () => {
      await stage.start();
      const SubscribeURL = `${stage.s3Endpoint}/confirm`;
      expect(await tell({ Type: "SubscriptionConfirmation", SubscribeURL })).toEqual({ documents: 0 });
    });
  });
});
