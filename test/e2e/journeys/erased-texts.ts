/** Two customers with everything that can be written about them are erased; then every database, stream, log and file is searched. */
import { randomBytes, randomInt } from "node:crypto";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { connect } from "nats";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { streamName } from "../../../shared/jetstream/streams.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import {
  aNationalId,
  anAddress,
  aPassport,
  aPerson,
  aProfile,
} from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { type DashboardClient, dashboardClient } from "../../support/clients/dashboard-client.ts";
import { type PartnerClient, partnerClient, put } from "../../support/clients/partner-client.ts";
import { type WebhookOwner, webhookOwner } from "../../support/clients/webhook-owner.ts";
import { CASES, PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

/** In every text and every number below, and nowhere else on the platform. */
const WORD = `zebedee${randomBytes(5).toString("hex")}`;
const DIGITS = String(randomInt(10_000_000, 100_000_000));
const CANARY = new RegExp(`.{0,80}(${WORD}|${DIGITS}).{0,80}`, "gis");

let platform: TestPlatform;
let partner: PartnerClient;
let webhook: WebhookOwner;
let ada: DashboardClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  const demo = await newAccounts(platform, { partners: 1 });
  [partner, webhook, ada] = await Promise.all([
    partnerClient(demo),
    webhookOwner(platform, demo),
    dashboardClient(platform.baseUrl, platform.demo.analysts[0]),
  ]);
  await webhook.register();
  // An excerpt of the answer is stored with the delivery.
  webhook.receiver.answer(({ body }, response) => void response.writeHead(200).end(body));
});
afterAll(() => webhook?.receiver.close());

/** Two people may share no identity number. */
const aPersonToForget = (nth: number) =>
  aPerson({
    firstName: `First ${WORD}`,
    middleName: `Middle ${WORD}`,
    lastName: `Last ${WORD}`,
    jobTitle: `Chief ${WORD}`,
    email: `person${nth}@${WORD}.example`,
    phone: `+23480${DIGITS}`,
    taxIdentificationNumber: `TIN-${DIGITS}${nth}`,
    address: anAddress({ streetLine1: `${WORD} Road`, city: WORD }),
    identities: [
      aPassport({ identityValue: `${"ABC"[nth]}${DIGITS}` }),
      aNationalId({ identityValue: `${DIGITS}12${nth}` }),
    ],
  });

const aBusinessToForget = () =>
  aProfile({
    companyName: `${WORD} Holdings`,
    tradingName: `${WORD} Trading`,
    description: `${WORD} sells`,
    email: `office@${WORD}.example`,
    website: `https://${WORD}.example`,
    registrationNumber: `RC${DIGITS}`,
    phoneNumber: `+23481${DIGITS}`,
    addresses: [anAddress({ streetLine1: `${WORD} Avenue` })],
    businessPersonList: [aPersonToForget(0)],
  });

async function step(customerId: string, path: string, body: unknown = {}): Promise<void> {
  const { status, body: answer } = await ada.post(`${CASES}/${customerId}/${path}`, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer.error)}`);
}

/** Created under a key, with a document, a note and a claim, of which everything was opened. */
async function aClaimedCustomer() {
  const { value, status } = await partner.send("POST", PROFILES, aBusinessToForget(), {
    "Idempotency-Key": randomBytes(8).toString("hex"),
  });
  expect(status).toBe(200);
  const { customerId, partnerCustomerId, ubos } = value;
  const { documentId } = await confirmedDocument(customerId);
  await step(customerId, "notes", { text: `${WORD} in a note` });
  await step(customerId, "claim");
  await step(customerId, `documents/${documentId}/view-link`);
  for (const index of [0, 1]) await step(customerId, `people/${ubos[0].uboId}/identities/${index}/reveal`);
  return { customerId: String(customerId), partnerCustomerId };
}

async function confirmedDocument(customerId: string) {
  const link = await partner.link(customerId);
  await put(link);
  await partner.shown(customerId, link.documentId, "Confirmed");
  return link;
}

async function anApprovedCustomer() {
  const customer = await aClaimedCustomer();
  const { customerId } = customer;
  await step(customerId, "request-changes", {
    items: [
      { target: { kind: "Business" }, reasonCode: "Other", message: `${WORD} in a change request` },
      { target: { kind: "Business" }, reasonCode: "Other", message: `${WORD} in another` },
    ],
  });
  const patch = { description: `${WORD} sells more`, businessPersonList: [aPersonToForget(1)] };
  const { status, code } = await partner.patch(customerId, patch);
  expect([status, code]).toEqual([200, null]);
  await confirmedDocument(customerId);
  await step(customerId, "claim");
  await step(customerId, "approve", { note: `${WORD} in the note of an approval` });
  return customer;
}

async function aRejectedCustomer() {
  const customer = await aClaimedCustomer();
  const reasons = [{ code: "Other", message: `${WORD} in the reason of a rejection` }];
  await step(customer.customerId, "reject", { reasons });
  return customer;
}

/** BSON and messages have their texts as they are, also within binary values. */
const findings = (place: string, bytes: Uint8Array | string): string[] =>
  [...Buffer.from(bytes).toString("latin1").matchAll(CANARY)].map(
    ([found]) => `${place}: ${found.replaceAll(/[^ -~]+/g, " ")}`,
  );

const isOwn = (name: string, prefix: string): boolean =>
  name.toLowerCase().startsWith(`${platform.namespace.toLowerCase()}${prefix}`);

async function inDatabases(): Promise<{ names: string[]; found: string[] }> {
  const connection = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
  try {
    const client = connection.getClient();
    const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
    const names = databases.map(({ name }) => name).filter((name) => isOwn(name, "_"));
    const found: string[] = [];
    for (const name of names)
      for (const collection of await client.db(name).collections())
        for await (const document of collection.find())
          found.push(...findings(collection.namespace, mongoose.mongo.BSON.serialize(document)));
    return { names, found };
  } finally {
    await connection.close();
  }
}

async function inStreams(): Promise<{ names: string[]; found: string[] }> {
  const nats = await connect({ servers: platform.addresses.natsUrl });
  try {
    const manager = await nats.jetstreamManager();
    const [names, found]: [string[], string[]] = [[], []];
    for await (const { config, state } of manager.streams.list()) {
      if (!isOwn(config.name, "_")) continue;
      names.push(config.name);
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
        // An acknowledged message of a work queue is gone.
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
        if (message) found.push(...findings(`${config.name} ${message.subject}`, message.data));
      }
    }
    return { names, found };
  } finally {
    await nats.close();
  }
}

const inLogs = (): string[] =>
  PROCESS_NAMES.flatMap((name) => findings(`log of ${name}`, platform.logs(name)));

const inDeliveries = (): string[] =>
  webhook.receiver.requests.flatMap(({ headers, bytes }) => [
    ...findings("headers of a delivery", JSON.stringify(headers)),
    ...findings("delivery", bytes),
  ]);

async function filesOf(customerIds: readonly string[]): Promise<string[]> {
  const { bucket, accessKeyId, secretAccessKey, ...where } = platform.addresses.s3;
  const client = new S3Client({
    ...where,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  try {
    const lists = ["", "uploads/"].flatMap((folder) =>
      customerIds.map((customerId) =>
        client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${folder}${partner.partnerId}/${customerId}/`,
          }),
        ),
      ),
    );
    return (await Promise.all(lists)).flatMap(({ Contents = [] }) => Contents.map(({ Key = "" }) => Key));
  } finally {
    client.destroy();
  }
}

async function erase(customerId: string): Promise<void> {
  const admin = await connectAdmin({
    PBO_ENV: "local",
    PBO_NATS_URL: platform.addresses.natsUrl,
    PBO_NAMESPACE: platform.namespace,
  });
  try {
    const args = ["--customer", customerId, "--partner", partner.partnerId, "--reason", "ticket-4711"];
    const { code, out, err } = await adminCommand(admin.call, ["customer", "erase", ...args, "--json"]);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ customerId, finished: true });
  } finally {
    await admin.close();
  }
}

test("erasure: no text about a customer is left in any database, audit trail, stream, log or file", async () => {
  const customers = [await anApprovedCustomer(), await aRejectedCustomer()];
  const ids = customers.map(({ customerId }) => customerId);
  const search = `${CASES}?search=${encodeURIComponent(`${WORD} Holdings`)}`;
  expect((await ada.get<{ items: unknown[] }>(search)).body.value?.items).toHaveLength(2);

  // The search finds what is there.
  const before = await inDatabases();
  expect(before.found.join("\n")).toContain(
    `${databaseName(platform.namespace, "profile")}.business_profiles: `,
  );
  for (const words of ["in a note", "in a change request", "in the note of", "in the reason of"])
    expect(before.found.join("\n")).toContain(`${WORD} ${words}`);
  expect(await filesOf(ids)).not.toEqual([]);

  for (const id of ids) await erase(id);
  await waitFor(
    () =>
      ids.every((id) =>
        webhook.receiver.requests.some(
          ({ headers, body }) => headers["svc-event-type"] === "business.profile.erased" && body.includes(id),
        ),
      ),
    { what: "the erasures to be delivered" },
  );
  await waitFor(async () => (await webhook.history("?status=Pending")).total === 0, {
    what: "every delivery to end",
  });
  await waitFor(async () => (await filesOf(ids)).length === 0, { what: "the files to be removed" });

  const [databases, streams] = [await inDatabases(), await inStreams()];
  expect(databases.found).toEqual([]);
  expect(streams.found).toEqual([]);
  expect([...inLogs(), ...inDeliveries()]).toEqual([]);

  const own = SERVICE_NAMES.map((name) => databaseName(platform.namespace, name));
  const audited = own.filter((name) => !name.endsWith("_document")).map((name) => `${name}_audit`);
  expect(databases.names.toSorted()).toEqual([...own, ...audited].toSorted());
  expect(streams.names).toContain(streamName(platform.namespace, "EVENTS"));
});
