/** A sender as the delivery service makes it, for tests against receivers of this machine. */
import { Writable } from "node:stream";
import {
  type AttemptRequest,
  createSender,
  type Sender,
  type SenderDeps,
} from "../../../services/delivery/send/send-attempt.ts";
import { type Clock, systemClock } from "../../../shared/clock.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics, type Metrics } from "../../../shared/telemetry/metrics.ts";

export type TestSender = Sender & { metrics: Metrics; logLines(): Record<string, unknown>[] };

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export const SENDER_SETTINGS: SenderDeps["config"] = {
  webhookAllowLoopback: true,
  webhookCaFile: "",
  webhookDnsServers: [],
  webhookDnsTimeoutMs: 5_000,
  webhookConnectTimeoutMs: 5_000,
  webhookTimeoutMs: 10_000,
};

/** For receivers that hang; anything else needs patience on a busy machine. */
export const SHORT_DEADLINES = {
  webhookDnsTimeoutMs: 300,
  webhookConnectTimeoutMs: 600,
  webhookTimeoutMs: 1_200,
};

export function aSender(
  settings: Partial<SenderDeps["config"]> = {},
  { resolver, clock = systemClock }: { resolver?: SenderDeps["resolver"]; clock?: Clock } = {},
): TestSender {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const metrics = createMetrics("test");
  const sender = createSender({
    config: { ...SENDER_SETTINGS, ...settings },
    clock,
    logger: createLogger({ logLevel: "info", process: "delivery" }, sink),
    metrics,
    ...(resolver ? { resolver } : {}),
  });
  return {
    ...sender,
    metrics,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export const anAttempt = (change: Partial<AttemptRequest> & Pick<AttemptRequest, "url">): AttemptRequest => ({
  secrets: [SECRET],
  eventId: "0199f2c4-7a10-7000-8000-000000000001",
  eventType: "webhook.test",
  eventVersion: 1,
  deliveryId: "0199f2c4-7a10-7000-8000-000000000002",
  attemptNo: 1,
  isReplay: false,
  body: '{"eventId":"0199f2c4-7a10-7000-8000-000000000001","data":{"message":"Grüße"}}',
  ...change,
});
