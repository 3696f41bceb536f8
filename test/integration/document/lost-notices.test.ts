/** The ways a notice can fail to arrive, and what makes up for it. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { UploadLink } from "../../../shared/action-types/document.ts";
import { type DocumentStage, put, startDocumentStage } from "../../support/stage/document-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: DocumentStage;

beforeEach(async () => {
  stage = await startDocumentStage();
});
afterEach(() => stage.end());

const links = (count: number): Promise<UploadLink[]> =>
  Promise.all(Array.from({ length: count }, () => stage.link(stage.aCustomer())));

async function uploadAll(all: readonly UploadLink[]): Promise<void> {
  for (const response of await Promise.all(all.map((link) => put(link)))) expect(response.status).toBe(200);
}

async function allConfirmedOnce(all: readonly UploadLink[]): Promise<void> {
  await waitFor(
    async () =>
      (await stage.documents.countDocuments({ status: "Confirmed", announcePending: false })) === all.length,
    { what: "all documents to be confirmed", timeoutMs: 50_000 },
  );
  for (const { documentId } of all) expect(stage.profile.of(documentId)).toHaveLength(1);
}

test("100 files arrive while the service is down: all are confirmed after it returns, each told once", async () => {
  await stage.start();
  const all = await links(100);
  await stage.stop();
  await uploadAll(all);
  await stage.until(async () => (await stage.notices()).waiting === 100, "100 notices to wait");
  expect(await stage.documents.countDocuments({ status: "AwaitingUpload" })).toBe(100);
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
  await allConfirmedOnce(all);
});
