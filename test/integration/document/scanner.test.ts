/** Files and the malware scanner: a real clamd where the machine has one, see test/support/servers/scanner.ts. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { MAX_SIZE_BYTES } from "../../../shared/contract/answers/document.ts";
import { MALWARE, startScanner, type TestScanner } from "../../support/servers/scanner.ts";
import { type DocumentStage, PDF, put, startDocumentStage } from "../../support/stage/document-stage.ts";

let stage: DocumentStage;
let scanner: TestScanner;

beforeAll(async () => {
  [scanner, stage] = await Promise.all([startScanner(), startDocumentStage()]);
  await stage.start({ PBO_SCANNER_ADDRESS: `127.0.0.1:${scanner.port}` });
});
afterAll(async () => {
  await stage.end();
  await scanner.stop();
});

const INFECTED = samplePdf(MALWARE);

test("a clean file, also of the largest size: is confirmed", async () => {
  for (const bytes of [PDF, samplePdf("Large", MAX_SIZE_BYTES)]) {
    const link = await stage.link(stage.aCustomer());
    await put(link, bytes);
    const record = await stage.settled(link.documentId, "Confirmed");
    expect((await stage.file(record)).equals(bytes)).toBe(true);
  }
});

test("a file that the scanner knows: is rejected as Malware and removed, and a clean one counts after it", async () => {
  const customer = stage.aCustomer();
  const link = await stage.link(customer);
  await put(link, INFECTED);
  const record = await stage.settled(link.documentId, "Rejected");
  expect(record).toMatchObject({ reason: "Malware", sha256: null, confirmedKey: null });
  await stage.until(async () => (await stage.stored(record)).length === 0, "the file to be removed");
  expect(stage.profile.of(link.documentId)).toEqual([
    expect.objectContaining({ document: expect.objectContaining({ status: "Rejected", reason: "Malware" }) }),
  ]);
  await put(link);
  await stage.settled(link.documentId, "Confirmed");
});

test("a file confirmed by request: is scanned, too", async () => {
  const customer = stage.aCustomer();
  const link = await stage.link(customer);
  await put(link, INFECTED);
  await expect(stage.confirm(customer, [link.documentId])).rejects.toMatchObject({
    type: "Document.Rejected",
  });
});

test("the scanner is away: the file waits, whoever asks; when it is back, it is confirmed, an infected one rejected", async () => {
  const { port } = scanner;
  await scanner.stop();
  const customer = stage.aCustomer();
  const [clean, infected] = [await stage.link(customer), await stage.link(stage.aCustomer())];
  await put(clean);
  await put(infected, INFECTED);
  await expect(stage.confirm(customer, [clean.documentId])).rejects.toMatchObject({
    type: "Service.Unavailable",
  });
  for (const { documentId } of [clean, infected]) {
    expect(await stage.find(documentId)).toMatchObject({ status: "AwaitingUpload" });
    expect(stage.profile.of(documentId)).toEqual([]);
  }
  // Longer than the link is open: a file that waits for the scanner does not expire.
  stage.clock.ahead = 50 * 60_000;
  await expect(stage.confirm(customer, [clean.documentId])).rejects.toMatchObject({
    type: "Service.Unavailable",
  });
  expect(await stage.find(clean.documentId)).toMatchObject({ status: "AwaitingUpload" });
  scanner = await startScanner(port);
  await stage.until(async () => {
    // The next look of the sweep, again and again.
    stage.clock.ahead += 100_000;
    return (await stage.find(clean.documentId))?.status === "Confirmed";
  }, "the file to be confirmed");
  await stage.settled(clean.documentId, "Confirmed");
  await stage.settled(infected.documentId, "Rejected");
  const isTidy = async () =>
    (await stage.find(clean.documentId))?.isTidy ? stage.find(clean.documentId) : null;
  const record = (await stage.until(isTidy, "the leftovers to be removed")) as DocumentRecord;
  expect(await stage.stored(record)).toEqual([record.confirmedKey]);
});
