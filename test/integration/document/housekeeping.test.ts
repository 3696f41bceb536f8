import { CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { copyKey, type DocumentRecord, fileKey } from "../../../services/document/document.rules.ts";
import { testServers } from "../../support/servers/servers.ts";
import { A_BODY, put, startDocumentStage } from "../../support/stage/document-stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Another slot than the usual one. */
const OTHER_BODY = { ...A_BODY, documentCategory: "TaxCertificate" };

const stage = ofFile(startDocumentStage, ({ end }) => end());
let s3: S3Client;
beforeAll(async () => {
  await stage.start();
  const { endpoint, region, ...credentials } = testServers().s3;
  s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
});
afterEach(() => {
  stage.clock.ahead = 0;
});
afterAll(() => s3.destroy());

const objectOf = (record: DocumentRecord) => ({ Bucket: stage.bucket, Key: fileKey(record) });
const isStored = (record: DocumentRecord) =>
  s3.send(new HeadObjectCommand(objectOf(record))).then(
    () => true,
    () => false,
  );

async function settledFile(status: string, body?: Buffer): Promise<DocumentRecord> {
  const link = await stage.link(stage.aCustomer());
  await put(link, body);
  return stage.settled(link.documentId, status);
}

describe("links", () => {
  test("never used: expire a while after their half hour, and are looked at no more", async () => {
    const link = await stage.link(stage.aCustomer());
    stage.clock.ahead = 44 * MINUTE_MS;
    await stage.until(
      async () =>
        (await stage.find(link.documentId))?.dueAt?.getTime() === Date.parse(link.expiresAt) + 15 * MINUTE_MS,
      "the last look to be planned",
    );
    expect(await stage.find(link.documentId)).toMatchObject({ status: "AwaitingUpload" });
    stage.clock.ahead = 46 * MINUTE_MS;
    expect(await stage.settled(link.documentId, "Expired")).toMatchObject({ dueAt: null });
    expect(stage.profile.of(link.documentId)).toEqual([]);
  });

  test("never used, with a later one of the same slot: are superseded", async () => {
    const customer = stage.aCustomer();
    const first = await stage.link(customer);
    stage.clock.ahead = 1_000;
    const second = await stage.link(customer);
    stage.clock.ahead = 46 * MINUTE_MS;
    await stage.settled(first.documentId, "Superseded");
    await stage.settled(second.documentId, "Expired");
  });

  test("expired in our books, with a file that storage took in time: the file counts", async () => {
    const link = await stage.link(stage.aCustomer());
    stage.clock.ahead = 46 * MINUTE_MS;
    await stage.settled(link.documentId, "Expired");
    stage.clock.ahead = 0;
    await put(link);
    await stage.settled(link.documentId, "Confirmed");
  });
});

describe("files", () => {
  test("rejected: are removed a day after their link ended, and the document keeps its reason", async () => {
    const record = await settledFile("Rejected", Buffer.from("no PDF"));
    stage.clock.ahead = DAY_MS;
    expect(await isStored(record)).toBe(true);
    stage.clock.ahead = DAY_MS + 31 * MINUTE_MS;
    await stage.until(async () => !(await isStored(record)), "the file to be removed");
    expect(await stage.find(record._id)).toMatchObject({ status: "Rejected", reason: "WrongType" });
  });

  test("superseded: are removed when nothing can be uploaded there any more", async () => {
    const customer = stage.aCustomer();
    const first = await stage.link(customer);
    await stage.link(customer);
    await put(first);
    const record = await stage.settled(first.documentId, "Superseded");
    expect(await isStored(record)).toBe(true);
    stage.clock.ahead = 46 * MINUTE_MS;
    await stage.until(async () => !(await isStored(record)), "the file to be removed");
  });

  test("confirmed: are looked at every day and never removed", async () => {
    const record = await settledFile("Confirmed");
    stage.clock.ahead = DAY_MS + MINUTE_MS;
    await stage.until(
      async () => ((await stage.find(record._id))?.dueAt?.getTime() ?? 0) > Date.now() + DAY_MS + DAY_MS / 2,
      "the file to be looked at",
    );
    expect(await stage.find(record._id)).toMatchObject({ status: "Confirmed", revision: record.revision });
    expect(await isStored(record)).toBe(true);
  });

  test("confirmed: the upload and what else is left of it goes when its link is closed, once", async () => {
    const record = await settledFile("Confirmed");
    const { confirmedKey, objectKey } = record;
    expect((await stage.stored(record)).sort()).toEqual([objectKey, confirmedKey].sort());
    // Files of interrupted checks, and another next to the upload.
    const leftovers = [copyKey(objectKey, "leftover"), objectKey.replace("BankStatement", "leftover")];
    for (const Key of leftovers)
      await s3.send(
        new CopyObjectCommand({ Bucket: stage.bucket, Key, CopySource: `${stage.bucket}/${objectKey}` }),
      );
    stage.clock.ahead = 44 * MINUTE_MS;
    expect((await stage.find(record._id))?.dueAt?.getTime()).toBe(
      record.expiresAt.getTime() + 15 * MINUTE_MS,
    );
    expect(await stage.stored(record)).toHaveLength(4);
    stage.clock.ahead = 46 * MINUTE_MS;
    await stage.until(async () => (await stage.find(record._id))?.isTidy, "the upload to be removed");
    expect(await stage.stored(record)).toEqual([confirmedKey]);
    expect(await stage.find(record._id)).toMatchObject({ status: "Confirmed", revision: record.revision });
  });

  test("confirmed, then deleted from storage: show as Missing as soon as storage says so", async () => {
    const record = await settledFile("Confirmed");
    await s3.send(new DeleteObjectCommand(objectOf(record)));
    expect(await stage.settled(record._id, "Missing")).toMatchObject({
      reason: "Deleted",
      sha256: record.sha256,
      confirmedAt: record.confirmedAt,
    });
    expect(stage.profile.of(record._id).map(({ document }) => [document.status, document.reason])).toEqual([
      ["Confirmed", null],
      ["Missing", "Deleted"],
    ]);
  });

  test("confirmed, then deleted without a notice: show as Missing within a day", async () => {
    const deaf = await startDocumentStage({ deaf: true });
    try {
      await deaf.start();
      const customer = deaf.aCustomer();
      const link = await deaf.link(customer);
      await put(link);
      await deaf.confirm(customer, [link.documentId]);
      const Key = fileKey((await deaf.find(link.documentId)) as DocumentRecord);
      await s3.send(new DeleteObjectCommand({ Bucket: deaf.bucket, Key }));
      deaf.clock.ahead = DAY_MS + MINUTE_MS;
      await deaf.settled(link.documentId, "Confirmed");
      deaf.clock.ahead = 2 * DAY_MS + 2 * MINUTE_MS;
      expect(await deaf.settled(link.documentId, "Missing")).toMatchObject({ reason: "Deleted" });
    } finally {
      await deaf.end();
    }
  });
});

describe("the documents of an erased customer", () => {
  const erase = (customerId: string) =>
    stage.profile.broker.call<{ documents: number }, object>("document.eraseForCustomer", { customerId });
  const NOTHING = { sizeBytes: null, sha256: null, etag: null, versionId: null, reason: null };

  test("lose their files at once and keep ids and dates; other customers' stay", async () => {
    const customer = stage.aCustomer();
    const [first, second] = [await stage.link(customer), await stage.link(customer, OTHER_BODY)];
    for (const link of [first, second]) await put(link);
    const records = [
      await stage.settled(first.documentId, "Confirmed"),
      await stage.settled(second.documentId, "Confirmed"),
    ];
    const other = await settledFile("Confirmed");
    expect(await erase(customer.customerId)).toEqual({ documents: 2 });
    for (const record of records) {
      await stage.until(async () => !(await isStored(record)), "the file to be removed");
      const left = await stage.find(record._id);
      expect(left).toMatchObject({
        ...NOTHING,
        customerId: record.customerId,
        confirmedAt: record.confirmedAt,
      });
      expect(left?.erasedAt).toBeInstanceOf(Date);
    }
    expect(await isStored(other)).toBe(true);
    expect(await erase(customer.customerId)).toEqual({ documents: 0 });
  });

  test("a file put by a link that is still open: is not told to anybody, and removed when the link has closed", async () => {
    const customer = stage.aCustomer();
    const link = await stage.link(customer);
    await erase(customer.customerId);
    await stage.until(
      async () =>
        Number((await stage.find(link.documentId))?.dueAt) === Date.parse(link.expiresAt) + 15 * MINUTE_MS,
      "a look after the link has closed to be planned",
    );
    await put(link);
    const record = (await stage.find(link.documentId)) as DocumentRecord;
    expect(await isStored(record)).toBe(true);
    stage.clock.ahead = 46 * MINUTE_MS;
    await stage.until(async () => !(await isStored(record)), "the file to be removed");
    expect(await stage.find(link.documentId)).toMatchObject({ ...NOTHING, status: "Superseded" });
    expect(stage.profile.of(link.documentId)).toEqual([]);
  });

  test("whose link was made while the customer was being erased: go as soon as their file is told", async () => {
    const link = await stage.link(stage.aCustomer());
    stage.profile.isErased = true;
    await put(link);
    await stage.until(async () => (await stage.find(link.documentId))?.erasedAt, "the document to be erased");
    stage.profile.isErased = false;
    const record = (await stage.find(link.documentId)) as DocumentRecord;
    await stage.until(async () => !(await isStored(record)), "the file to be removed");
    expect(record).toMatchObject(NOTHING);
  });
});

test("the sweep and the slot: their queries use their indexes and look at no more than they return", async () => {
  await stage.link(stage.aCustomer());
  const { customerId, uboId, documentCategory, createdAt } = (await stage.documents.findOne(
    {},
  )) as DocumentRecord;
  const due = stage.documents.find({ dueAt: { $gt: new Date(0), $lte: new Date() } }).sort({ dueAt: 1 });
  const slot = stage.documents
    .find({ customerId, uboId, documentCategory, createdAt: { $gt: createdAt } })
    .sort({ createdAt: 1 });
  for (const query of [due, slot]) {
    const { queryPlanner, executionStats } = await query.explain("executionStats");
    expect(JSON.stringify(queryPlanner.winningPlan)).toContain("IXSCAN");
    expect(executionStats.totalDocsExamined).toBe(executionStats.nReturned);
  }
});
