/** From nothing to a customer as production would have it: made by the operator's command, secured everywhere. */
import { afterAll, beforeAll, expect } from "@jest/globals";
import type mongoose from "mongoose";
import { Agent, fetch } from "undici";
import { STREAMS_ACCOUNT } from "../../deploy/nats/permissions.ts";
import { NATS } from "../../deploy/nats/server-config.ts";
import { databaseName } from "../../shared/mongo/mongo.ts";
import { aSmallProfile } from "../support/builders/profile-builders.ts";
import { dashboardClient, demoLogin, WEBHOOKS } from "../support/clients/dashboard-client.ts";
import { type PartnerClient, PDF, partnerClient } from "../support/clients/partner-client.ts";
import { nightlyTest } from "../support/skipped.ts";
import { PROFILES } from "../support/stage/api-stage.ts";
import { type Production, startProduction } from "../support/stage/production.ts";
import { waitFor } from "../support/wait-for.ts";

let production: Production;
let partner: PartnerClient;
let delivery: mongoose.mongo.MongoClient;

beforeAll(async () => {
  production = await startProduction();
  delivery = production.mongods.connect("delivery");
  partner = await partnerClient(production.demo);
});
afterAll(async () => {
  await delivery?.close();
  await production?.end();
});

const recorded = (type: string, customerIds: readonly string[]): Promise<number> =>
  delivery
    .db(databaseName("", "delivery"))
    .collection("events")
    .countDocuments({ eventType: type, customerId: { $in: customerIds } });

nightlyTest("token, create, upload: the document is confirmed and its events are recorded", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  const link = await partner.link(customerId);
  expect(link.uploadUrl).toMatch(/^https:/);
  const dispatcher = new Agent({ connect: { ca: production.ca } });
  const { status } = await fetch(link.uploadUrl, {
    method: link.method,
    headers: link.headers,
    body: PDF,
    dispatcher,
  });
  await dispatcher.close();
  expect(status).toBe(200);
  await partner.shown(customerId, link.documentId, "Confirmed");
  for (const type of ["business.profile.created", "business.document.confirmed"])
    await waitFor(() => recorded(type, [customerId]), type);
});

nightlyTest("a webhook address on this machine: refused", async () => {
  const owner = await dashboardClient(production.demo.baseUrl, demoLogin(production.demo, "Owner"));
  const { status, body } = await owner.post(WEBHOOKS, { url: "https://127.0.0.1:8443/hooks" });
  expect([status, body.error?.code]).toEqual([400, "Webhook.UrlNotPublic"]);
});

nightlyTest("a NATS server is lost under load: every customer that was accepted has its event", async () => {
  const accepted: string[] = [];
  const create = async () => {
    const { status, value, code } = await partner.send("POST", PROFILES, aSmallProfile());
    // While a server is lost a create may be refused for the moment; it is not accepted then.
    if (status === 200) accepted.push(value.customerId);
    else expect([status, code]).toEqual([503, expect.stringMatching(/^Service\./)]);
  };
  const load = async (until: () => boolean) => {
    while (!until()) await Promise.all([create(), create(), create(), create()]);
  };
  await load(() => accepted.length >= 12);
  const lost = await production.nats.leaderOf(STREAMS_ACCOUNT, "EVENTS");
  expect(lost).toMatch(new RegExp(`^${NATS.service}-`));
  const before = accepted.length;
  await Promise.all([
    load(() => accepted.length >= before + 24),
    production.nats.kill(Number(lost.slice(NATS.service.length + 1))),
  ]);
  await waitFor(async () => (await recorded("business.profile.created", accepted)) === accepted.length, {
    what: `${accepted.length} events`,
    timeoutMs: 240_000,
  });
});
