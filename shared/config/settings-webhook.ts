/** Settings of webhooks and their delivery. */
import type { ProcessName } from "./process-names.ts";
import { flag, integer, list, seconds, text } from "./setting-kinds.ts";

const REGISTRY: ProcessName[] = ["webhook-registry"];
const DELIVERY: ProcessName[] = ["delivery"];
const BOTH: ProcessName[] = [...REGISTRY, ...DELIVERY];

export const WEBHOOK_SETTINGS = {
  retrySchedule: seconds(
    "PBO_DELIVERY_RETRY_SCHEDULE",
    8,
    "wait before each of the eight webhook attempts, in seconds after the failure before it",
    { usedBy: DELIVERY, default: "0,30,300,1800,10800,36000,79200,129600" },
  ),
  webhookDegradedAfter: integer(
    "PBO_WEBHOOK_DEGRADED_AFTER_FAILURES",
    1,
    1_000,
    "failed webhook attempts in a row after which an endpoint is Degraded",
    { usedBy: REGISTRY, default: "5" },
  ),
  webhookDisabledAfterMs: integer(
    "PBO_WEBHOOK_DISABLED_AFTER_MS",
    100,
    2_592_000_000,
    "a Degraded endpoint that gave up a delivery is Disabled after this long without success",
    { usedBy: REGISTRY, default: "259200000" },
  ),
  webhookSweepMs: integer(
    "PBO_WEBHOOK_SWEEP_MS",
    50,
    3_600_000,
    "how often endpoints are searched for ended secrets and passed deadlines",
    { usedBy: REGISTRY, default: "60000" },
  ),
  webhookDnsServers: list(
    "PBO_WEBHOOK_DNS_SERVERS",
    "name servers asked for webhook hosts, address or address:port; empty means those of the machine",
    { usedBy: BOTH, default: "" },
  ),
  deliveryPollMs: integer(
    "PBO_DELIVERY_POLL_MS",
    20,
    60_000,
    "how often waiting webhook retries are looked at; first attempts do not wait for it",
    { default: "250", usedBy: DELIVERY },
  ),
  deliveryLeaseMs: integer(
    "PBO_DELIVERY_LEASE_MS",
    1_000,
    3_600_000,
    "an attempt that was taken and not heard of for this long is taken again",
    { default: "60000", usedBy: DELIVERY },
  ),
  eventsAckPending: integer(
    "PBO_EVENTS_ACK_PENDING",
    1,
    1_000_000,
    "most messages of events that all delivery processes together have taken and not yet recorded",
    { default: "2000", usedBy: DELIVERY },
  ),
  eventsBatch: integer(
    "PBO_EVENTS_BATCH",
    1,
    10_000,
    "most messages of events that a delivery process records together",
    { default: "400", usedBy: DELIVERY },
  ),
  feedSettleMs: integer(
    "PBO_FEED_SETTLE_MS",
    0,
    600_000,
    "an event is shown in the feed this long after it was recorded; in production longer than a write to MongoDB can take (10 s)",
    { default: "15000", usedBy: DELIVERY },
  ),
  deliveryPartitions: integer(
    "PBO_DELIVERY_PARTITIONS",
    1,
    10_000,
    "parts into which the endpoints fall, each looked after by one delivery process at a time; fixed once the installation has begun",
    { default: "64", usedBy: DELIVERY },
  ),
  partitionLeaseMs: integer(
    "PBO_DELIVERY_PARTITION_LEASE_MS",
    500,
    60_000,
    "the endpoints of a delivery process that died are taken over by the others after this long",
    { default: "5000", usedBy: DELIVERY },
  ),
  deliveryPerEndpoint: integer(
    "PBO_DELIVERY_PER_ENDPOINT",
    1,
    1_000,
    "most webhook requests that are under way to one endpoint",
    { default: "16", usedBy: DELIVERY },
  ),
  deliveryInFlight: integer(
    "PBO_DELIVERY_IN_FLIGHT",
    1,
    10_000,
    "most webhook requests a process has under way in all",
    { default: "512", usedBy: DELIVERY },
  ),
  webhookDnsTimeoutMs: integer(
    "PBO_WEBHOOK_DNS_TIMEOUT_MS",
    10,
    30_000,
    "longest wait for the name server when a webhook URL is resolved",
    { usedBy: BOTH, default: "3000" },
  ),
  webhookConnectTimeoutMs: integer(
    "PBO_WEBHOOK_CONNECT_TIMEOUT_MS",
    10,
    30_000,
    "longest wait for TCP and TLS to a webhook receiver",
    { usedBy: DELIVERY, default: "5000" },
  ),
  webhookTimeoutMs: integer(
    "PBO_WEBHOOK_TIMEOUT_MS",
    50,
    60_000,
    "a webhook attempt without an answer by then has failed",
    { usedBy: DELIVERY, default: "15000" },
  ),
  webhookCaFile: text("PBO_WEBHOOK_CA_FILE", "extra CA trusted for webhook receivers", {
    usedBy: DELIVERY,
    default: "",
    localOnly: true,
  }),
  webhookAllowLoopback: flag("PBO_WEBHOOK_ALLOW_LOOPBACK", "webhooks may go to 127.0.0.0/8 and ::1", {
    usedBy: BOTH,
    localOnly: true,
  }),
} as const;
