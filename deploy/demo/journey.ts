/** The steps of `npm run demo`: webhook, token, customer, document, status, and the signed webhooks. */
import { readFileSync } from "node:fs";
import { type Client, createClient } from "../client/typescript/src/index.ts";
import { demoPartner } from "../lib/demo-accounts.ts";
import type { DemoData } from "../lib/demo-data.ts";
import { poll } from "../local/poll.ts";
import { describeEvent, plain, type Received } from "../receiver/describe-event.ts";
import type { KeptSecrets } from "../receiver/kept-secrets.ts";
import { type ReceiverServer, startReceiverServer } from "../receiver/receiver-server.ts";
import { registerReceiver } from "../receiver/register-receiver.ts";
import { exampleBusiness } from "./example-business.ts";
import { samplePdf } from "./sample-pdf.ts";

const ARRIVES_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
const SHOWN_OF_TOKEN = 24;
const EVENTS = ["business.profile.created", "business.person.added", "business.document.confirmed"];

export async function journey(demo: DemoData, partnerNumber: number, kept: KeptSecrets): Promise<void> {
  const received: Received[] = [];
  const receiver = await startReceiver(demo, received);
  try {
    await steps(demo, partnerNumber, kept, receiver, received);
  } finally {
    await receiver.close();
  }
}

async function steps(
  demo: DemoData,
  number: number,
  kept: KeptSecrets,
  receiver: ReceiverServer,
  received: Received[],
) {
  const partner = demoPartner(demo, number);

  step(`1. A person of ${partner.name} signs in and registers a webhook`);
  const { secret } = await registerReceiver({ demo, partner: number, url: receiver.url, kept });
  receiver.trust([secret]);
  say(receiver.url);

  step("2. Its machine signs an assertion with the private key and gets a token");
  const client = createClient({
    baseUrl: demo.baseUrl,
    clientId: partner.clientId,
    privateKey: readFileSync(partner.privateKeyFile, "utf8"),
  });
  say(`${(await client.token()).slice(0, SHOWN_OF_TOKEN)}…`);

  step("3. It creates a business with one owner, in one call");
  const created = await client.create(exampleBusiness());
  show(created);
  const { customerId } = created;

  step("4. It asks for an upload link and puts a file straight into storage");
  const documentId = await client.upload(customerId, {
    documentCategory: "CertificateOfIncorporation",
    contentType: "application/pdf",
    file: new Uint8Array(samplePdf("A certificate.")),
  });
  say(`document ${documentId} is in storage`);

  step("5. The document confirms itself: nobody makes another call");
  show(await confirmedDocument(client, customerId, documentId));

  step("6. It reads the verification status");
  show(await client.verificationStatus(customerId));

  step("7. Every change arrived as a signed webhook; the signatures are checked");
  for (const event of await verifiedEvents(received, customerId)) say(describeEvent(event, plain).trimEnd());

  console.log(`\nNext: make these calls yourself, as README.md shows. All routes: ${demo.baseUrl}/docs\n`);
}

const startReceiver = ({ tls }: DemoData, received: Received[]) =>
  startReceiverServer({
    cert: readFileSync(tls.cert, "utf8"),
    key: readFileSync(tls.key, "utf8"),
    port: 0,
    path: "/webhooks",
    answer: 200,
    tell: (one) => void received.push(one),
  });

const confirmedDocument = (client: Client, customerId: string, documentId: string) =>
  poll(
    async () => {
      const { documents } = await client.get(customerId);
      return documents.find((one) => one.documentId === documentId && one.status === "Confirmed");
    },
    {
      withinMs: ARRIVES_WITHIN_MS,
      everyMs: LOOK_EVERY_MS,
      what: "the document to be confirmed (see .local/logs/document.log)",
    },
  );

const verifiedEvents = (received: readonly Received[], customerId: string): Promise<Received[]> =>
  poll(
    () => {
      const found = received.filter(({ verified, body }) => verified && body.includes(customerId));
      return EVENTS.every((type) => found.some(({ headers }) => headers["svc-event-type"] === type)) && found;
    },
    {
      withinMs: ARRIVES_WITHIN_MS,
      everyMs: LOOK_EVERY_MS,
      what: "the webhooks to arrive (see .local/logs/delivery.log)",
    },
  );

const step = (text: string): void => console.log(`\n${text}`);
const say = (text: string): void => console.log(text.replaceAll(/^/gm, "   "));
const show = (value: unknown): void => say(JSON.stringify(value, null, 2));
