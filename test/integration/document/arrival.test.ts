import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { MAX_SIZE_BYTES } from "../../../shared/contract/answers/document.ts";
import { aJpeg, aPng, PNG_SIGNATURE, pngChunk, pngHeader } from "../../support/builders/pictures.ts";
import { PDF, put, startDocumentStage } from "../../support/stage/document-stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";

const A_LICENCE = { documentCategory: "BusinessLicense", contentType: "application/pdf" };
const stage = ofFile(startDocumentStage, ({ end }) => end());
beforeAll(() => stage.start());

const aHugePng = Buffer.concat([
  PNG_SIGNATURE,
  pngHeader(50_000, 40_000),
  pngChunk("IDAT", Buffer.from("x")),
  pngChunk("IEND"),
]);

describe("a file arrives", () => {
  test("a file of the right type is confirmed and reported to the profile service once, with nobody asking", async () => {
    const customer = stage.aCustomer();
    const link = await stage.link(customer);
    expect((await put(link)).status).toBe(200);
    const record = await stage.settled(link.documentId, "Confirmed");
    expect(record).toMatchObject({
      ...customer,
      reason: null,
      sizeBytes: PDF.length,
      sha256: createHash("sha256").update(PDF).digest("hex"),
      etag: createHash("md5").update(PDF).digest("hex"),
    });
    expect(stage.profile.of(link.documentId)).toEqual([
      {
        ...customer,
        requestId: `request-${customer.partnerId}`,
        document: {
          documentId: link.documentId,
          documentCategory: "BankStatement",
          contentType: "application/pdf",
          sizeBytes: PDF.length,
          uboId: null,
          status: "Confirmed",
          reason: null,
          uploadedAt: record.uploadedAt?.toISOString(),
          confirmedAt: record.confirmedAt?.toISOString(),
        },
      },
    ]);
  });

  test.each([
    ["empty", "application/pdf", Buffer.alloc(0), "Empty"],
    ["a PNG sent as a PDF", "application/pdf", aPng(), "WrongType"],
    [
      "a PDF whose cross references are elsewhere",
      "application/pdf",
      Buffer.from(PDF.toString("latin1").replace(/startxref\n\d+/, "startxref\n50")),
      "WrongType",
    ],
    ["a JPEG that is cut off", "image/jpeg", aJpeg().subarray(0, -2), "WrongType"],
    ["a PNG of two billion pixels", "image/png", aHugePng, "TooLarge"],
  ])("%s: is rejected and told as such", async (_, contentType, bytes, reason) => {
    const link = await stage.link(stage.aCustomer(), { documentCategory: "Other", contentType });
    expect((await put(link, bytes)).status).toBe(200);
    await stage.settled(link.documentId, "Rejected");
    expect(stage.profile.of(link.documentId).map(({ document }) => document)).toEqual([
      expect.objectContaining({ status: "Rejected", reason, sizeBytes: bytes.length, confirmedAt: null }),
    ]);
  });

  test.each([
    ["image/png", aPng()],
    ["image/jpeg", aJpeg()],
  ])("a picture as %s: is confirmed", async (contentType, bytes) => {
    const link = await stage.link(stage.aCustomer(), { documentCategory: "Other", contentType });
    expect((await put(link, bytes)).status).toBe(200);
    expect(await stage.settled(link.documentId, "Confirmed")).toMatchObject({ sizeBytes: bytes.length });
  });

  test("a file of exactly the largest size is confirmed", async () => {
    const bytes = samplePdf("Large", MAX_SIZE_BYTES);
    const link = await stage.link(stage.aCustomer());
    expect((await put(link, bytes)).status).toBe(200);
    const { sha256 } = await stage.settled(link.documentId, "Confirmed");
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("again with the same link, after the first was rejected: the second counts", async () => {
    const link = await stage.link(stage.aCustomer());
    await put(link, Buffer.alloc(0));
    await stage.settled(link.documentId, "Rejected");
    await put(link);
    await stage.settled(link.documentId, "Confirmed");
    expect(stage.profile.of(link.documentId).map(({ document }) => document.status)).toEqual([
      "Rejected",
      "Confirmed",
    ]);
  });

  test("for a link that made way for the next one: is superseded, and the next one is confirmed", async () => {
    const customer = stage.aCustomer();
    const first = await stage.link(customer);
    const second = await stage.link(customer);
    await put(first);
    await put(second);
    await stage.settled(second.documentId, "Confirmed");
    const superseded = await stage.settled(first.documentId, "Superseded");
    expect(superseded.dueAt?.getTime()).toBeGreaterThan(superseded.expiresAt.getTime());
    expect(stage.profile.of(first.documentId).map(({ document }) => document.status)).toEqual(["Superseded"]);
  });

  test("before the next link of its slot was asked for: is confirmed, as is the next", async () => {
    const customer = stage.aCustomer();
    const first = await stage.link(customer);
    await put(first);
    const second = await stage.link(customer);
    await put(second);
    await stage.settled(first.documentId, "Confirmed");
    await stage.settled(second.documentId, "Confirmed");
  });
});

describe("a partner becomes inactive", () => {
  const tell = (partnerId: string, active: boolean, changedAt: string) =>
    stage.callAs("auth-token", "document.setPartnerStanding", { partnerId, active, changedAt });

  test("its open links no longer count: a file is told as superseded; one counts when it is back", async () => {
    const customer = stage.aCustomer();
    const [first, second] = [await stage.link(customer), await stage.link(customer, A_LICENCE)];
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    await tell(customer.partnerId, false, at(-60_000));
    await tell(customer.partnerId, true, at(-120_000));
    await put(first);
    expect((await stage.settled(first.documentId, "Superseded")).reason).toBeNull();
    await tell(customer.partnerId, true, at(0));
    await put(second);
    await stage.settled(second.documentId, "Confirmed");
  });
});

describe("confirmed documents", () => {
  test("the same bytes again: nothing changes", async () => {
    const link = await stage.link(stage.aCustomer());
    await put(link);
    const { revision } = await stage.settled(link.documentId, "Confirmed");
    const { last } = await stage.notices();
    await put(link);
    await untilHandled(last + 1);
    expect(await stage.find(link.documentId)).toMatchObject({ status: "Confirmed", revision });
    expect(stage.profile.of(link.documentId)).toHaveLength(1);
  });

  test("another file put over it by its link: changes neither the document nor the file that was confirmed", async () => {
    const link = await stage.link(stage.aCustomer());
    await put(link);
    const record = await stage.settled(link.documentId, "Confirmed");
    const { last } = await stage.notices();
    await put(link, Buffer.from("%PDF-1.7 something else"));
    await untilHandled(last + 1);
    expect(await stage.find(link.documentId)).toEqual(record);
    expect(await stage.file(record)).toEqual(PDF);
    expect(stage.profile.of(link.documentId)).toHaveLength(1);
  });

  test("another file put over it while it is examined, many times: what is confirmed is what is kept", async () => {
    const links = await Promise.all(Array.from({ length: 6 }, () => stage.link(stage.aCustomer())));
    const versions = Array.from({ length: 8 }, (_, index) =>
      Buffer.concat([PDF, Buffer.from(`%${index}\n`)]),
    );
    await Promise.all(
      links.map(async (link) => {
        for (const bytes of versions) await put(link, bytes);
      }),
    );
    for (const { documentId } of links) {
      const record = await stage.settled(documentId, "Confirmed");
      const kept = await stage.file(record);
      expect(record.sha256).toBe(createHash("sha256").update(kept).digest("hex"));
      expect(versions).toContainEqual(kept);
    }
  });

  test("a file of the largest size and one byte: is removed at once, again if it comes again; another one counts", async () => {
    const tooLarge = samplePdf("Too large", MAX_SIZE_BYTES + 1);
    const link = await stage.link(stage.aCustomer());
    for (let times = 1; times <= 2; times += 1) {
      const told = stage.profile.of(link.documentId).length;
      await put(link, tooLarge);
      // Notice and sweep may find the same file at once, and each tells it: that does no harm.
      await stage.until(() => stage.profile.of(link.documentId).length > told, "the rejection");
      const record = await stage.settled(link.documentId, "Rejected");
      expect(record).toMatchObject({ reason: "TooLarge", sizeBytes: tooLarge.length, confirmedAt: null });
      await stage.until(async () => (await stage.stored(record)).length === 0, "the file to be removed");
    }
    await put(link);
    await stage.settled(link.documentId, "Confirmed");
  });
});

describe("notices", () => {
  test("the same one ten times, at once and later: one confirmation", async () => {
    const link = await stage.link(stage.aCustomer());
    await put(link);
    const key = new URL(link.uploadUrl).pathname.slice(`/${stage.bucket}/`.length);
    await stage.notify(aNotice(key), 5);
    await stage.settled(link.documentId, "Confirmed");
    await stage.notify(aNotice(key), 5);
    await untilHandled();
    expect(stage.profile.of(link.documentId)).toHaveLength(1);
  });

  test("for a file that is not there, for no document, and of no sense: are passed over", async () => {
    const link = await stage.link(stage.aCustomer());
    const key = new URL(link.uploadUrl).pathname.slice(`/${stage.bucket}/`.length);
    await stage.notify(aNotice(key));
    await stage.notify(aNotice(key.replace(link.documentId, "01890a5d-ac96-774b-bcce-b302099a8057")));
    await stage.notify(aNotice(key.replace("BankStatement", "Other")));
    await stage.notify({ Service: "Amazon S3", Event: "s3:TestEvent" });
    await stage.notify("no notice at all");
    await untilHandled();
    expect(await stage.find(link.documentId)).toMatchObject({ status: "AwaitingUpload", revision: 1 });
    expect(stage.profile.of(link.documentId)).toEqual([]);
  });

  test("while the profile service is away: the confirmation is kept and told when it is back", async () => {
    stage.profile.isAway = true;
    const link = await stage.link(stage.aCustomer());
    await put(link);
    await stage.until(
      () => stage.documents.findOne({ _id: link.documentId, status: "Confirmed" }),
      "confirmation",
    );
    await untilHandled();
    expect(await stage.find(link.documentId)).toMatchObject({ announcePending: true });
    stage.profile.isAway = false;
    stage.clock.ahead += 10_000;
    await stage.settled(link.documentId, "Confirmed");
    expect(stage.profile.of(link.documentId)).toHaveLength(1);
  });
});

const aNotice = (key: string) => ({
  Records: [
    {
      eventName: "s3:ObjectCreated:Put",
      eventTime: new Date().toISOString(),
      s3: { bucket: { name: stage.bucket }, object: { key: encodeURIComponent(key) } },
    },
  ],
});

const untilHandled = (atLeast = 0) =>
  stage.until(async () => {
    const { waiting, last } = await stage.notices();
    return waiting === 0 && last >= atLeast;
  }, "notices to be handled");
