/** Backup and restore by the files of MongoDB, as the guide has it: what comes back, and what partners see of it. */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { createPlatform, type RunningPlatform } from "../../deploy/local/platform.ts";
import { freePort } from "../../deploy/local/ports.ts";
import { findMongod } from "../../deploy/local/servers/mongod-binary.ts";
import { aProfile } from "../support/builders/profile-builders.ts";
import { dashboardClient, demoLogin, WEBHOOKS } from "../support/clients/dashboard-client.ts";
import { type PartnerClient, partnerClient, put } from "../support/clients/partner-client.ts";
import { quietReport } from "../support/quiet-report.ts";
import { wipeJetStreamStore } from "../support/servers/jetstream-store.ts";
import { copyFiles, restoreFiles } from "../support/servers/mongod-files.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import { nightlyTest } from "../support/skipped.ts";
import { PROFILES } from "../support/stage/api-stage.ts";
import { receiverFor } from "../support/stage/platform.ts";
import { waitFor } from "../support/wait-for.ts";

const state = join(tmpdir(), `pbo-restore-${process.pid}`);
const copy = join(state, "copy");
const platform = createPlatform({ stateDir: state, env: { PBO_PORT: "0" }, report: quietReport });
let receiver: Receiver;
let customers: { before: string; waiting: string; after: string };
let running: RunningPlatform;

const received = () => receiver.requests.map(({ body }) => JSON.parse(body));
const eventsOf = (customerId: string): string[] =>
  received()
    .filter(
      ({ eventType, correlation }) =>
        eventType === "business.profile.created" && correlation.customerId === customerId,
    )
    .map(({ eventId }) => eventId);
const heardOf = (customerId: string, times = 1) =>
  waitFor(() => eventsOf(customerId).length >= times, {
    timeoutMs: 60_000,
    what: `the webhook of ${customerId}`,
  });
const newCustomer = async (client: PartnerClient): Promise<string> =>
  (await client.create(aProfile())).customerId;

beforeAll(async () => {
  running = await platform.start();
  receiver = await receiverFor(running);
  const owner = await dashboardClient(running.baseUrl, demoLogin(running.demo, "Owner"));
  expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
  const client = await partnerClient(running.demo);
  const before = await newCustomer(client);
  await heardOf(before);

  // Its event is still in the outbox when the copy is made.
  await platform.process("delivery").stop();
  const waiting = await newCustomer(client);
  await copyFiles(running.addresses.mongodbUri, platform.paths.mongodDir, copy);
  await platform.process("delivery").start();
  await heardOf(waiting);
  const after = await newCustomer(client);
  await heardOf(after);
  customers = { before, waiting, after };

  await platform.stop();
  rmSync(platform.paths.mongodDir, { recursive: true });
  await restoreFiles({
    from: copy,
    to: platform.paths.mongodDir,
    port: await freePort(),
    mongod: await findMongod(quietReport),
  });
  wipeJetStreamStore(platform.paths);
  running = await platform.start();
});
afterAll(async () => {
  await platform.stop();
  await receiver?.close();
  rmSync(state, { recursive: true, force: true });
});

nightlyTest("a restore has every record of the backup and none of a later time", async () => {
  const client = await partnerClient(running.demo);
  expect((await client.profile(customers.before)).customerId).toBe(customers.before);
  expect((await client.profile(customers.waiting)).customerId).toBe(customers.waiting);
  expect((await client.send("GET", `${PROFILES}/${customers.after}`)).status).toBe(404);
});

nightlyTest(
  "an event that waited in its outbox is sent again, under its id; one that was recorded is not",
  async () => {
    await heardOf(customers.waiting, 2);
    expect(new Set(eventsOf(customers.waiting)).size).toBe(1);
    expect(eventsOf(customers.before)).toHaveLength(1);
  },
);

nightlyTest("a new customer, its document and its webhooks go their way", async () => {
  const client = await partnerClient(running.demo);
  const customerId = await newCustomer(client);
  const link = await client.link(customerId);
  expect((await put(link)).status).toBe(200);
  await client.shown(customerId, link.documentId, "Confirmed");
  await heardOf(customerId);
});

nightlyTest("a folder that holds something is neither copied nor restored into", async () => {
  const mongod = await findMongod(quietReport);
  const to = platform.paths.mongodDir;
  await expect(restoreFiles({ from: copy, to, port: 0, mongod })).rejects.toThrow("is not empty");
  await expect(copyFiles(running.addresses.mongodbUri, to, copy)).rejects.toThrow("is not empty");
});
