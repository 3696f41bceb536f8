import { beforeAll, expect, test } from "@jest/globals";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { confirmations } from "../../support/clients/confirmations.ts";
import { A_STATEMENT, type PartnerClient, partnerClient, put } from "../../support/clients/partner-client.ts";
import { repetitions } from "../../support/repetitions.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const FILES = repetitions({ short: 10, nightly: 100 });

let platform: TestPlatform;
let partner: PartnerClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  partner = await partnerClient(platform.demo);
});

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
  (await partner.profile(customerId)).documents
    .filter(({ status }: Loose) => status === "Confirmed")
    .map(({ documentId }: Loose) => documentId);

async function allConfirmed(customerId: string, links: readonly Loose[]): Promise<void> {
  const wanted = links.map(({ documentId }) => documentId).sort();
  await waitFor(async () => (await confirmedIds(customerId)).length === wanted.length, {
    what: "every file to be confirmed",
    everyMs: 100,
  });
  expect((await confirmedIds(customerId)).sort()).toEqual(wanted);
}

test(`${FILES} files arrive while the document service is down: all are confirmed after it returns, one event each`, async () => {
  const customers = await Promise.all(Array.from({ length: FILES }, () => partner.create(aSmallProfile())));
  const links: Loose[] = [];
  for (const { customerId } of customers) links.push(await partner.link(customerId));
  platform.kill("document", "SIGSTOP");
  await uploadAll(links);
  platform.kill("document", "SIGKILL");
  for (const [i, { customerId }] of customers.entries()) await allConfirmed(customerId, [links[i]]);
  const ids = new Set(links.map(({ documentId }) => documentId));
  const events = await waitFor(async () => {
    const found = (await confirmations(platform)).filter(({ data }) => ids.has(data.documentId as string));
    return found.length >= FILES ? found : null;
  }, "all events");
  expect(new Set(events.map(({ data }) => data.documentId)).size).toBe(FILES);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(FILES);
});

test("the document service is killed under requests for links: one record for each link, and no link is promised in vain", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  await platform.untilReady();
  const asked = Array.from({ length: 30 }, () =>
    partner.askForLink(customerId, { ...A_STATEMENT, documentCategory: "Other" }),
  );
  await Promise.any(asked);
  platform.kill("document", "SIGKILL");
  const answers = await Promise.all(asked);
  const linked = answers.filter(({ status }) => status === 200).map(({ value }) => value);
  const unknown = answers.filter(({ code }) => code === "Service.OutcomeUnknown");
  // Requests that were never sent, because the service was slow to return, are refused and leave nothing.
  const refused = answers.filter(({ code }) => code === "Service.Unavailable");
  expect(linked.length + unknown.length + refused.length).toBe(answers.length);
  const documents = (await platform.database("document")).collection<{ _id: string }>("documents");
  const stored = (await documents.find({ customerId }).toArray()).map(({ _id }) => _id);
  for (const { documentId } of linked) expect(stored).toContain(documentId);
  expect(new Set(linked.map(({ documentId }) => documentId)).size).toBe(linked.length);
  expect(stored.length).toBeLessThanOrEqual(linked.length + unknown.length);
  expect((await put(linked[0])).status).toBe(200);
});

test("many files of one slot, each uploaded before the next link: none is taken for superseded", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  await platform.untilReady();
  const links = await uploadOneByOne(customerId, 10);
  await allConfirmed(customerId, links);
});
