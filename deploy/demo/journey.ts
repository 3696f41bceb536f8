/** The steps of `npm run demo`: webhook, token, customer, document, status, and the signed webhooks. */
import { readFileSync } from "node:fs";
import { type Client, createClient } from "../client/typescript/src/index.ts";
import { type DemoData, demoPartner } from "../lib/demo-data.ts";
import { poll } from "../local/poll.ts";
import { describeEvent, type Received } from "../receiver/describe-event.ts";
import { type ReceiverServer, startReceiverServer } from "../receiver/receiver-server.ts";
import { registerReceiver } from "../receiver/register-receiver.ts";
import { exampleBusiness } from "./businesses.ts";
import { samplePdf } from "./sample-pdf.ts";

const ARRIVES_WITHIN_MS = 30_000;
const SHOWN_OF_TOKEN = 24;
const EVENTS = ["business.profile.created", "business.person.added", "business.document.confirmed"];

type Given = { demo: DemoData; number: number; state: string };

export async function journey(given: Given): Promise<void> {
  const received: Received[] = [];
  const receiver = await startReceiverServer({
    tls: given.demo.tls,
    onReceived: (event) => void received.push(event),
  });
  try {
    await steps(given, receiver, received);
  } finally {
    await receiver.close();
  }
}

async function steps(
  { demo, number, state }: Given,
  receiver: ReceiverServer,
  received: readonly Received[],
) {
  const partner = demoPartner(demo, number);

  step(`1. A person of ${partner.name} signs in and registers a webhook`);
  const { secret } = await registerReceiver({ demo, partner, url: receiver.url, state });
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

  step("5. The document confirms itself, without another call");
  show(await confirmedDocument(client, customerId, documentId));

  step("6. It reads the verification status");
  show(await client.verificationStatus(customerId));

  step("7. Every change arrived as a signed webhook; the signatures are checked");
  for (const event of await verifiedEvents(received, customerId)) say(describeEvent(event).trimEnd());

  console.log(`\nNext: make these calls yourself, as README.md shows. All routes: ${demo.baseUrl}/docs\n`);
}

const confirmedDocument = (client: Client, customerId: string, documentId: string) =>
  poll(
    async () => {
      const { documents } = await client.get(customerId);
      return documents.find((one) => one.documentId === documentId && one.status === "Confirmed");
    },
    { withinMs: ARRIVES_WITHIN_MS, what: "the document to be confirmed (see .local/logs/document.log)" },
  );

const verifiedEvents = (received: readonly Received[], customerId: string): Promise<Received[]> =>
  poll(
    () => {
      const found = received.filter(({ verified, body }) => verified && body.includes(customerId));
      return EVENTS.every((type) => found.some(({ headers }) => headers["svc-event-type"] === type)) && found;
    },
    { withinMs: ARRIVES_WITHIN_MS, what: "the webhooks to arrive (see .local/logs/delivery.log)" },
  );

const step = (text: string): void => console.log(`\n${text}`);
const say = (text: string): void => console.log(text.replaceAll(/^/gm, "   "));
const show = (value: unknown): void => say(JSON.stringify(value, null, 2));
