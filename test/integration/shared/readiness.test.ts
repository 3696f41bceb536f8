/** Readiness notices links that are dead in one direction, by round trips, and recovers. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { Heartbeat } from "nats/lib/nats-base-client/heartbeats.js";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import profileService from "../../../services/profile/profile.service.ts";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { openStage, type Stage } from "../../support/stage/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: Stage;
/** The profile service beats; the leases of delivery are its beat. */
let brokers: ServiceBroker[];
let links: { mongodb: Link; nats: Link };
const lookForDeadConnections = Heartbeat.prototype.start;

beforeAll(async () => {
  // NATS clients would find a dead connection themselves, later. Here only readiness can.
  Heartbeat.prototype.start = () => undefined;
  const { mongodbUri, natsUrl } = testServers();
  links = { mongodb: await startLink(mongodbUri), nats: await startLink(natsUrl) };
  stage = openStage({ PBO_LOG_LEVEL: "silent" });
  const own = {
    PBO_MONGODB_URI: links.mongodb.url,
    PBO_NATS_URL: links.nats.url,
    PBO_DELIVERY_PARTITION_LEASE_MS: "5000",
  };
  brokers = await Promise.all([
    stage.start("profile", [profileService], own),
    stage.start("delivery", [deliveryService], own),
  ]);
});
afterAll(async () => {
  await stage.stop();
  await Promise.all(Object.values(links).map((link) => link.close()));
  Heartbeat.prototype.start = lookForDeadConnections;
});

const untilChecks = (wanted: Record<string, boolean>) =>
  waitFor(
    async () => {
      const all = await Promise.all(brokers.map((broker) => runtimeOf(broker).health.readiness()));
      const isSo = ([name, isOk]: [string, boolean]) =>
        all.every(({ checks }) => (checks[name] === "ok") === isOk);
      return Object.entries(wanted).every(isSo);
    },
    { what: `readiness to say ${JSON.stringify(wanted)}`, everyMs: 100 },
  );

test.each([
  ["mongodb", "hold-up", { mongodb: false, jetstream: true, nats: true }],
  ["mongodb", "hold-down", { mongodb: false, jetstream: true, nats: true }],
  ["nats", "hold-up", { mongodb: true, jetstream: false, nats: false }],
  ["nats", "hold-down", { mongodb: true, jetstream: false, nats: false }],
] as const)(
  "the link to %s: %s",
  async (server, mode, wanted) => {
    await untilChecks({ mongodb: true, jetstream: true, nats: true });
    links[server].set(mode);
    try {
      await untilChecks(wanted);
      // Nobody else has noticed.
      for (const broker of brokers) expect(runtimeOf(broker).jetstream.connected()).toBe(true);
    } finally {
      links[server].set("pass");
    }
    await untilChecks({ mongodb: true, jetstream: true, nats: true });
  },
  600_000,
);
