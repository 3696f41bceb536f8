/** The documentation, followed to the letter: every sample of its guides and of its reference runs, in the sandbox of a new partner. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import type { DemoPartner } from "../../../deploy/lib/demo-data.ts";
import { createExample } from "../../../services/profile/read/examples.schemas.ts";
import { aReference } from "../../support/builders/profile-builders.ts";
import { newAccounts, openSandbox } from "../../support/clients/accounts.ts";
import { WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import {
  type GuideSample,
  guideSamples,
  type Language,
  programsOf,
} from "../../support/docs/guide-samples.ts";
import { testWithPython } from "../../support/docs/python.ts";
import {
  type ReferenceSample,
  referenceProgram,
  referenceSamples,
} from "../../support/docs/reference-samples.ts";
import { openSampleProject, type SampleProject } from "../../support/docs/sample-project.ts";
import type { ReceivedRequest, Receiver } from "../../support/servers/receiver.ts";
import { receiverFor } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let twin: DemoPartner;
let machine: PartnerClient;
let project: SampleProject;
let receiver: Receiver;
let secret: string;
let samples: GuideSample[];
let ofReference: ReferenceSample[];

beforeAll(async () => {
  const platform = await journeyPlatform();
  const demo = await newAccounts(platform);
  const opened = await openSandbox(demo);
  twin = opened.twin;
  machine = await partnerClient({ ...demo, partners: [twin] });
  receiver = await receiverFor(platform);
  const registered = await opened.inSandbox.post<{ webhookSecret: string }>(WEBHOOKS, {
    url: receiver.url(),
  });
  secret = registered.body.value?.webhookSecret ?? "";
  samples = guideSamples(platform.baseUrl);
  ofReference = referenceSamples(platform.baseUrl);
  project = openSampleProject(twin, { WEBHOOK_SECRET: secret });
});
afterAll(async () => {
  await receiver?.close();
  project?.close();
});

const eventOf = ({ body }: ReceivedRequest) =>
  JSON.parse(body) as {
    eventType: string;
    test: boolean;
    correlation: { customerId: string; sequence: number };
    data: { verificationStatus: string };
  };

/** Every one verified by Standard Webhooks' own library, as it comes from npm; each once, in their order. */
async function verifiedEvents(customerId: string) {
  const library = new Webhook(secret);
  const all = await waitFor(() => {
    const own = receiver.requests.filter((one) => eventOf(one).correlation.customerId === customerId);
    for (const { body, headers } of own) library.verify(body, headers);
    const bySequence = new Map(own.map((one) => [eventOf(one).correlation.sequence, eventOf(one)]));
    const events = [...bySequence.values()].toSorted(
      (a, b) => a.correlation.sequence - b.correlation.sequence,
    );
    const isWhole = events.every(({ correlation }, index) => correlation.sequence === index + 1);
    return isWhole && events.at(-1)?.data.verificationStatus === "Approved" && events;
  }, "all webhooks of the customer");
  return all;
}

async function sandboxJourney(language: "ts" | "python"): Promise<void> {
  const printed = await project.program(language, "sandbox", programsOf(samples, language).sandbox);
  const [, customerId = ""] = /^asked for: 2\n(\S+) Approved\n$/.exec(printed) ?? [];
  const events = await verifiedEvents(customerId);
  expect(events.every((event) => event.test)).toBe(true);
  expect(new Set(events.map(({ eventType }) => eventType))).toEqual(
    new Set([
      "business.profile.created",
      "business.person.added",
      "business.verification.updated",
      "business.profile.updated",
      "business.person.updated",
      "business.document.confirmed",
    ]),
  );
  const statuses = events
    .filter(({ eventType }) => eventType === "business.verification.updated")
    .map(({ data }) => data.verificationStatus);
  expect(statuses).toEqual(["ChangesRequested", "StartedNotCompleted", "PendingVerification", "Approved"]);
}

/** Gives `receive` of the webhook guide what really arrived, and at last a body that somebody changed. */
const RECEIVE_ALL = {
  ts: `
for (const { body, headers } of JSON.parse(readFileSync("requests.json", "utf8")))
  console.log("answered", receive(Buffer.from(body), headers));
`,
  python: `
import json

for one in json.loads(Path("requests.json").read_text()):
    print("answered", receive(one["body"].encode(), one["headers"]))
`,
};

async function guidesProgram(language: "ts" | "python"): Promise<void> {
  const arrived = receiver.requests.map(({ body, headers }) => ({ body, headers }));
  const forged = arrived.slice(0, 1).map(({ body, headers }) => ({ body: `${body} `, headers }));
  project.write("requests.json", JSON.stringify([...arrived, ...forged]));
  const program = programsOf(samples, language).guides + RECEIVE_ALL[language];
  const printed = await project.program(language, "guides", program);
  const answers = [...printed.matchAll(/^answered (\d+)$/gm)].map(([, status]) => Number(status));
  expect(arrived.length).toBeGreaterThan(8);
  expect(answers).toEqual([...arrived.map(() => 204), 400]);
}

describe("the sandbox guide: ChangesRequested, a person corrected, a document, Approved; each webhook verified", () => {
  test("in TypeScript", () => sandboxJourney("ts"));
  testWithPython("in Python", () => sandboxJourney("python"));
});

describe("the other guides, read from top to bottom as one program that also verifies what arrived", () => {
  test("in TypeScript", () => guidesProgram("ts"));
  testWithPython("in Python", () => guidesProgram("python"));
});

test("the guides by curl: from the key to the events, and no sample is left out", async () => {
  const of = (guide: string, language: Language = "sh"): string[] =>
    samples.filter((one) => one.guide === guide && one.language === language).map(({ text }) => text);
  const reference = aReference();
  const shell = (sample: string, env: Record<string, string> = {}) => project.shell(sample, env, reference);

  const [makeKey = "", exchange = ""] = of("token");
  project.write("assertion.mjs", of("token", "js").join(""));
  const ASSERTION = (await project.node(["assertion.mjs", twin.clientId, "key.pem"])).trim();
  const { access_token: TOKEN } = JSON.parse(await shell(exchange, { ASSERTION }));
  const [create = "", ...reads] = of("first-customer");
  const { customerId: CUSTOMER_ID } = JSON.parse(await shell(create, { TOKEN })).value;
  const [link = "", upload = ""] = of("documents");
  const { uploadUrl: UPLOAD_URL } = JSON.parse(await shell(link, { TOKEN, CUSTOMER_ID })).value;
  await shell(`${upload.trimEnd()} --fail`, { UPLOAD_URL });
  const [signature = "", events = ""] = of("webhooks");
  expect(await shell(signature)).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  const questions = [...reads, ...of("statuses"), ...of("sandbox"), events];
  for (const question of questions)
    expect(JSON.parse(await shell(question, { TOKEN, CUSTOMER_ID }))).toMatchObject({ isSuccess: true });
  // Elsewhere, because it would write over the key.
  await shell(`mkdir made && cd made && ${makeKey}`);

  const ran = [makeKey, exchange, create, link, upload, signature, ...questions];
  const all = samples.filter(({ language }) => language === "sh").map(({ text }) => text);
  expect(all.toSorted()).toEqual(ran.toSorted());
});

describe("the reference: the samples of every call", () => {
  /** A customer as the examples know it. */
  async function variables() {
    const partnerCustomerId = aReference();
    const { customerId, ubos } = await machine.create({ ...createExample.body, partnerCustomerId });
    const names = { PARTNER_CUSTOMER_ID: partnerCustomerId, CUSTOMER_ID: customerId, UBO_ID: ubos[0].uboId };
    return { ...names, TOKEN: machine.token };
  }

  async function run(language: "ts" | "python"): Promise<void> {
    const { text, operationIds } = referenceProgram(ofReference, samples, language);
    const printed = await project.program(language, "reference", text, await variables());
    const ran = [...printed.matchAll(/^ran (\w+)$/gm)].map(([, operationId]) => operationId);
    expect(ran).toEqual(operationIds);
    expect(ran.length).toBeGreaterThan(12);
  }

  test("by curl", async () => {
    const known = { ...(await variables()), ASSERTION: "" };
    for (const { operationId, language, text } of ofReference) {
      if (language !== "sh") continue;
      project.write("assertion.mjs", samples.find((one) => one.language === "js")?.text ?? "");
      if (text.includes("$ASSERTION"))
        known.ASSERTION = (await project.node(["assertion.mjs", twin.clientId, "key.pem"])).trim();
      const answer = JSON.parse(await project.shell(text, known, aReference()));
      expect([operationId, answer.isSuccess ?? !answer.error]).toEqual([operationId, true]);
    }
  });
  test("in TypeScript", () => run("ts"));
  testWithPython("in Python", () => run("python"));
});
