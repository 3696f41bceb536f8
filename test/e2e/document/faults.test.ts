import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { databaseName } from "../../../shared/mongo.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import {
  A_STATEMENT,
  aPartner,
  confirmations,
  type Loose,
  type Partner,
  put,
} from "../../support/clients/document-partner.ts";
import { startPlatform, type TestPlatform } from "../../support/stage/platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
let partner: Partner;

beforeAll(async () => {
  platform = await startPlatform({
    env: { PBO_DOCUMENT_FIRST_LOOK_MS: "2000", PBO_DOCUMENT_SWEEP_MS: "500" },
  });
  const [first] = platform.demo.partners;
  if (!first) throw new Error("the demo names no partner");
  partner = await aPartner(platform, first);
}, 120_000);

afterAll(async () => {
  await platform?.stop();
}, 60_000);

/** For some seconds a call can still be sent to a node that was killed. */
const untilLinked = (customerId: string): Promise<Loose> =>
  waitFor(() => partner.link(customerId), { what: "a link" });

async function uploadAll(links: readonly Loose[]): Promise<void> {
  for (const link of links) expect((await put(link)).status).toBe(200);
}

/** Each file before the next link of its slot, as partners do it. */
async function uploadOneByOne(customerId: string, count: number): Promise<Loose[]> {
  const links: Loose[] = [];
  for (let i = 0; i < count; i += 1) {
    const link = await partner.link(customerId, { ...A_STATEMENT, documentCategory: "Other" });
    await put(link);
    links.push(link);
  }
  return links;
}

const confirmedIds = async (customerId: string): Promise<string[]> =>
  (await partner.get(`/${customerId}`)).documents
    .filter(({ status }: Loose) => status === "Confirmed")
    .map(({ documentId }: Loose) => documentId);

async function allConfirmed(customerId: string, links: readonly Loose[]): Promise<void> {
  const wanted = links.map(({ documentId }) => documentId).sort();
  await waitFor(async () => (await confirmedIds(customerId)).length === wanted.length, {
    what: "every file to be confirmed",
    timeoutMs: 60_000,
    everyMs: 250,
  });
  expect((await confirmedIds(customerId)).sort()).toEqual(wanted);
}

test("100 files arrive while the document service is down: all are confirmed after it returns, one event each", async () => {
  const customers = await Promise.all(Array.from({ length: 100 }, () => partner.create(aSmallProfile())));
  const links: Loose[] = [];
  for (const { customerId } of customers) links.push(await partner.link(customerId));
  platform.kill("document", "SIGSTOP");
  await uploadAll(links);
  platform.kill("document", "SIGKILL");
  for (const [i, { customerId }] of customers.entries()) await allConfirmed(customerId, [links[i]]);
  const ids = new Set(links.map(({ documentId }) => documentId));
  const events = await waitFor(
    async () => {
      const found = (await confirmations(platform)).filter(({ data }) => ids.has(data.documentId as string));
      return found.length >= 100 ? found : null;
    },
    { what: "100 events" },
  );
  expect(new Set(events.map(({ data }) => data.documentId)).size).toBe(100);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(100);
}, 180_000);

test("the document service is killed under requests for links: each gets its link, and one record", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  await platform.untilReady();
  const asked = Array.from({ length: 30 }, () =>
    partner.link(customerId, { ...A_STATEMENT, documentCategory: "Other" }),
  );
  await Promise.any(asked);
  platform.kill("document", "SIGKILL");
  const links = await Promise.all(asked);
  const connection = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
  try {
    const documents = connection.useDb(databaseName("", "document")).collection("documents");
    const stored = await documents.find({ customerId }, { projection: { _id: 1 } }).toArray();
    expect(stored.map(({ _id }) => String(_id)).sort()).toEqual(
      links.map(({ documentId }) => documentId).sort(),
    );
  } finally {
    await connection.close();
  }
  expect((await put(links[0])).status).toBe(200);
}, 60_000);

test("many files of one slot, each uploaded before the next link: none is taken for superseded", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  await platform.untilReady();
  const links = await uploadOneByOne(customerId, 10);
  await allConfirmed(customerId, links);
});

test("the stream is wiped with the notices in it: the sweep confirms the files", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  const link = await untilLinked(customerId);
  platform.kill("document", "SIGSTOP");
  await uploadAll([link]);
  await platform.wipeJetStream();
  platform.kill("document", "SIGKILL");
  await allConfirmed(customerId, [link]);
}, 120_000);

test("storage is away: upload-link answers 503 and leaves nothing; links again when it is back", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  await untilLinked(customerId);
  await platform.stopServer("s3");
  const answer = await partner.ask(customerId, A_STATEMENT);
  expect([answer.status, answer.code]).toEqual([503, "Service.Unavailable"]);
  expect(answer.headers.get("Retry-After")).not.toBeNull();
  expect(await partner.get(`/${customerId}`)).toMatchObject({ documents: [] });
  await platform.startServer("s3");
  const link = await untilLinked(customerId);
  await put(link);
  await partner.shown(customerId, link.documentId, "Confirmed");
}, 120_000);
