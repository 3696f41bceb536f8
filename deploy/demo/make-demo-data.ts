/** `npm start -- --demo-data`: data for a dashboard, created through the API; only its times are changed afterwards. */
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { excerptKeyRepository } from "../../services/delivery/excerpt/excerpt-key.repository.ts";
import { createExcerpts } from "../../services/delivery/excerpt/excerpts.ts";
import { loadConfig } from "../../shared/config/config.ts";
import { createMongo } from "../../shared/mongo/mongo.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { type Client, createClient } from "../client/typescript/src/index.ts";
import { type DashboardSession, signIn } from "../lib/dashboard-session.ts";
import { type DemoData, type DemoPartner, demoPartner } from "../lib/demo-data.ts";
import { poll } from "../local/poll.ts";
import type { Report } from "../local/report.ts";
import { envOf } from "../local/services/service-env.ts";
import { startReceiverServer } from "../receiver/receiver-server.ts";
import { review } from "./analysts.ts";
import { demoBusiness, fateOf, inTurn, referenceOf } from "./businesses.ts";
import { moveIntoThePast } from "./move-into-the-past.ts";
import { askWrongly } from "./refused-tokens.ts";
import { samplePdf } from "./sample-pdf.ts";
import { samplePicture } from "./sample-picture.ts";

type Deps = { demo: DemoData; env: Record<string, string>; report: Report; customers: number };

const WEBHOOKS = "/customer/v1/partner-profile/webhooks";
const WITHIN_MS = 120_000;

/** Only in a fresh installation. */
export async function makeDemoData(deps: Deps): Promise<void> {
  const { demo, report } = deps;
  const partner = demoPartner(demo, 1);
  const client = clientOf(demo, partner);
  if (await isThere(client))
    return report.say("Demo data exists already; remove the state directory to create it again.");
  report.say("Demo data");
  const owner = await signIn(demo.baseUrl, ownerOf(partner));
  const receiver = await startReceiverServer({ tls: demo.tls, onReceived: () => undefined });
  try {
    const { webhookSecret } = await owner.call<{ webhookSecret: string }>("POST", WEBHOOKS, {
      url: receiver.url,
    });
    receiver.trust([webhookSecret]);
    const customerIds = await createCustomers(client, deps);
    report.say("  reviews");
    await review(demo.baseUrl, demo.analysts, customerIds);
    await answerRequests(client, customerIds);
    await untilDelivered(owner);
  } finally {
    await receiver.close();
  }
  report.say("  two weeks of history");
  await stampThePast(deps, partner.partnerId);
  report.say("  refused tokens, and a webhook that does not answer");
  await askWrongly(demo, partner.clientId, readFileSync(partner.privateKeyFile, "utf8"));
  await breakWebhook(demo, demoPartner(demo, 2));
}

const clientOf = ({ baseUrl }: DemoData, { clientId, privateKeyFile }: DemoPartner): Client =>
  createClient({ baseUrl, clientId, privateKey: readFileSync(privateKeyFile, "utf8") });

function ownerOf({ name, users }: DemoPartner) {
  const owner = users.find(({ role }) => role === "Owner");
  if (!owner) throw new Error(`${name} has no Owner.`);
  return owner;
}

async function isThere(client: Client): Promise<boolean> {
  for await (const _ of client.list({ partnerCustomerId: referenceOf(0) })) return true;
  return false;
}

async function createCustomers(client: Client, { report, customers }: Deps): Promise<string[]> {
  const numbers = Array.from({ length: customers }, (_, number) => number);
  return inTurn(numbers, async (number) => {
    if (number % 20 === 0) report.progress("customers", number, customers);
    const { customerId, ubos } = await client.create(demoBusiness(number));
    if (number % 3 !== 2)
      await client.upload(customerId, {
        documentCategory: "CertificateOfIncorporation",
        contentType: "application/pdf",
        file: new Uint8Array(samplePdf(`Certificate of incorporation ${number}`)),
      });
    const [ubo] = ubos;
    if (ubo && number % 2 === 0)
      await client.upload(customerId, {
        documentCategory: "IdentityFront",
        contentType: "image/png",
        uboId: ubo.uboId,
        file: new Uint8Array(samplePicture(number)),
      });
    return customerId;
  });
}

async function answerRequests(client: Client, customerIds: readonly string[]): Promise<void> {
  const asked = customerIds.filter((_, number) => fateOf(number, customerIds.length) === "answered");
  await inTurn(asked, (customerId) =>
    client.patch(customerId, {
      website: "https://shop.example",
      description: "Wholesale to shops in the region; the shops pay by bank transfer.",
    }),
  );
}

/** All events are delivered: the receiver is no longer needed. */
const untilDelivered = (owner: DashboardSession): Promise<boolean> =>
  poll(
    async () => {
      const { total } = await owner.call<{ total: number }>(
        "GET",
        `${WEBHOOKS}/deliveries?status=Pending&pageSize=1`,
      );
      const { activity } = await owner.call<{ activity: { waiting: number } | null }>("GET", WEBHOOKS);
      return total === 0 && activity?.waiting === 0;
    },
    { withinMs: WITHIN_MS, everyMs: 500, what: "the events of the demo data to be delivered" },
  );

async function stampThePast({ env }: Deps, partnerId: string): Promise<void> {
  const config = loadConfig("delivery", envOf("delivery", env));
  const profiles = createMongo(loadConfig("profile", envOf("profile", env)));
  const deliveries = createMongo(config);
  try {
    await Promise.all([profiles.connect(), deliveries.connect()]);
    await moveIntoThePast({
      profiles: profiles.connection,
      deliveries: deliveries.connection,
      partnerId,
      excerpts: createExcerpts({
        keys: excerptKeyRepository(deliveries.connection),
        cipher: createFieldCipher(config.webhookKeys),
        clock: { now: () => Date.now() },
        logger: pino({ level: "silent" }),
      }),
      retryWaitsMs: config.retrySchedule.map((seconds) => seconds * 1_000),
      nowMs: Date.now(),
    });
  } finally {
    await Promise.all([profiles.close(), deliveries.close()]);
  }
}

/** No program listens on the port: attempts fail until the endpoint is Degraded. */
async function breakWebhook(demo: DemoData, partner: DemoPartner): Promise<void> {
  const owner = await signIn(demo.baseUrl, ownerOf(partner));
  await owner.call("POST", WEBHOOKS, { url: "https://localhost/webhooks" });
  await poll(
    async () => {
      const { status } = await owner.call<{ status: string }>("GET", WEBHOOKS);
      if (status === "Active") await owner.call("POST", `${WEBHOOKS}/test`);
      return status !== "Active";
    },
    { withinMs: WITHIN_MS, everyMs: 500, what: "the webhook to be degraded" },
  );
}
