/** Settings of webhooks and their delivery. */
import type { ProcessName } from "./process-names.ts";
import { flag, integer, list, seconds, text } from "./setting-kinds.ts";

const REGISTRY: ProcessName[] = ["webhook-registry"];
const DELIVERY: ProcessName[] = ["delivery"];
const BOTH: ProcessName[] = [...REGISTRY, ...DELIVERY];

export const WEBHOOK_SETTINGS = {
  retrySchedule: seconds("PBO_DELIVERY_RETRY_SCHEDULE", 8, "seconds before each of the eight attempts", {
    usedBy: DELIVERY,
    default: "0,30,300,1800,10800,36000,79200,129600",
  }),
  webhookDisabledAfterMs: integer(
    "PBO_WEBHOOK_DISABLED_AFTER_MS",
    100,
    2_592_000_000,
    "time without success after which a Degraded endpoint with an exhausted delivery is Disabled",
    { usedBy: REGISTRY, default: "259200000" },
  ),
  webhookSweepMs: integer(
    "PBO_WEBHOOK_SWEEP_MS",
    50,
    3_600_000,
    "interval of the sweep for expired secrets and deadlines",
    { usedBy: REGISTRY, default: "60000" },
  ),
  webhookDnsServers: list(
    "PBO_WEBHOOK_DNS_SERVERS",
    "name servers for webhook hosts; empty means those of the machine",
    { usedBy: BOTH, default: "" },
  ),
  deliveryPollMs: integer("PBO_DELIVERY_POLL_MS", 20, 60_000, "interval of the search for due retries", {
    default: "250",
    usedBy: DELIVERY,
  }),
  deliveryLeaseMs: integer(
    "PBO_DELIVERY_LEASE_MS",
    1_000,
    3_600_000,
    "age at which an attempt without an outcome is claimed again",
    { default: "60000", usedBy: DELIVERY },
  ),
  feedSettleMs: integer(
    "PBO_FEED_SETTLE_MS",
    0,
    600_000,
    "age at which the feed shows an event; above 10 s in production",
    { default: "15000", usedBy: DELIVERY },
  ),
  deliveryPartitions: integer(
    "PBO_DELIVERY_PARTITIONS",
    1,
    10_000,
    "partitions of endpoints; never change it",
    { default: "64", usedBy: DELIVERY },
  ),
  partitionLeaseMs: integer(
    "PBO_DELIVERY_PARTITION_LEASE_MS",
    500,
    60_000,
    "time until the partitions of a dead process are taken over",
    { default: "5000", usedBy: DELIVERY },
  ),
  deliveryPerEndpoint: integer("PBO_DELIVERY_PER_ENDPOINT", 1, 1_000, "requests in flight per endpoint", {
    default: "16",
    usedBy: DELIVERY,
  }),
  deliveryInFlight: integer("PBO_DELIVERY_IN_FLIGHT", 1, 10_000, "requests in flight per process", {
    default: "512",
    usedBy: DELIVERY,
  }),
  webhookDnsTimeoutMs: integer("PBO_WEBHOOK_DNS_TIMEOUT_MS", 10, 30_000, "timeout of name resolution", {
    usedBy: BOTH,
    default: "3000",
  }),
  webhookConnectTimeoutMs: integer("PBO_WEBHOOK_CONNECT_TIMEOUT_MS", 10, 30_000, "timeout of TCP and TLS", {
    usedBy: DELIVERY,
    default: "5000",
  }),
  webhookTimeoutMs: integer("PBO_WEBHOOK_TIMEOUT_MS", 50, 60_000, "timeout of an attempt", {
    usedBy: DELIVERY,
    default: "15000",
  }),
  webhookCaFile: text("PBO_WEBHOOK_CA_FILE", "extra CA of webhook receivers", {
    usedBy: DELIVERY,
    default: "",
    localOnly: true,
  }),
  webhookAllowLoopback: flag("PBO_WEBHOOK_ALLOW_LOOPBACK", "webhooks may go to 127.0.0.0/8 and ::1", {
    usedBy: BOTH,
    localOnly: true,
  }),
} as const;
