/** Sends one webhook attempt and answers its outcome. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { AttemptErrorKind } from "../../../shared/contract/vocabularies.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import { createDnsResolver } from "../../../shared/webhook/dns-resolver.ts";
import { parseWebhookUrl, type Resolver } from "../../../shared/webhook/webhook-url.ts";
import {
  type AttemptOutcome,
  excerptOf,
  judgeStatus,
  readRetryAfter,
} from "../records/attempt-outcome.rules.ts";
import { attemptHeaders } from "./send-attempt-headers.rules.ts";
import { createHttpClient, type Outgoing } from "./sender-client.ts";
import { type ConnectSettings, createConnect } from "./sender-connect.ts";
import { Exchange, type Reply } from "./sender-exchange.ts";
import { isBrokenConnection, isTransportError, SendFault } from "./sender-faults.ts";

export type AttemptRequest = {
  url: string;
  /** Plain whsec_ secrets in force, newest first. */
  secrets: readonly string[];
  eventId: string;
  eventType: string;
  eventVersion: number;
  deliveryId: string;
  attemptNo: number;
  isReplay: boolean;
  /** Sent byte for byte. */
  body: string;
};

export type Sender = ReturnType<typeof createSender>;

export type SenderDeps = {
  config: ConnectSettings & Pick<Config, "webhookTimeoutMs" | "webhookDnsServers">;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  resolver?: Resolver;
};

export function createSender({ config, clock, logger, metrics, ...rest }: SenderDeps) {
  const { webhookDnsTimeoutMs: timeoutMs, webhookDnsServers: servers } = config;
  const resolver = rest.resolver ?? createDnsResolver({ timeoutMs, servers });
  const client = createHttpClient(createConnect(config, resolver));
  const inFlight = new Set<Exchange>();
  let closed = false;
  let lastSentAt = Number.NEGATIVE_INFINITY;

  return {
    /** Rejects with a fault of our own: such an attempt is not counted. */
    async send(request: AttemptRequest): Promise<AttemptOutcome> {
      const sentAtMs = clock.now();
      const startedAt = performance.now();
      lastSentAt = startedAt;
      const body = Buffer.from(request.body);
      const headers = attemptHeaders(request, {
        eventId: request.eventId,
        timestampSeconds: Math.floor(sentAtMs / 1_000),
        body,
      });
      const finish = (result: Omit<AttemptOutcome, "sentAt" | "durationMs">): AttemptOutcome => ({
        ...result,
        durationMs: Math.round(performance.now() - startedAt),
        sentAt: new Date(sentAtMs),
      });
      try {
        const url = allowedUrl(request.url);
        return finish(answered(await transmit({ url, headers, body }), clock.now()));
      } catch (error) {
        const errorKind = faultKind(error);
        if (errorKind === "UrlNotPublic") reportRefusal(request, error);
        return finish({ ok: false, statusCode: null, errorKind, responseExcerpt: null, retryAfterMs: null });
      }
    },
    /** A request was made lately. */
    isBusy: (): boolean => performance.now() - lastSentAt < QUIET_MS,
    /** Breaks off what is in flight. */
    async close(): Promise<void> {
      closed = true;
      for (const exchange of inFlight) exchange.stop(new SendFault("Own", "the sender is closing"));
      await client.destroy();
    },
  };

  async function transmit(outgoing: Outgoing): Promise<Reply> {
    const endsAt = performance.now() + config.webhookTimeoutMs;
    const first = new Exchange(config.webhookTimeoutMs);
    try {
      return await run(first, (exchange) => client.send(outgoing, exchange));
    } catch (error) {
      if (!first.usesKeptConnection || !isBrokenConnection(error)) throw error;
      const second = new Exchange(Math.max(0, endsAt - performance.now()));
      return run(second, (exchange) => client.sendApart(outgoing, exchange));
    }
  }

  async function run(exchange: Exchange, start: (exchange: Exchange) => void): Promise<Reply> {
    inFlight.add(exchange);
    try {
      if (closed) exchange.stop(new SendFault("Own", "the sender is closed"));
      else start(exchange);
      return await exchange.reply;
    } finally {
      inFlight.delete(exchange);
    }
  }

  function reportRefusal({ url, deliveryId, eventId }: AttemptRequest, error: unknown): void {
    metrics.increment("pbo_ssrf_blocked_total", { place: "send" });
    const host = URL.canParse(url) ? new URL(url).host : null;
    const reason = error instanceof Error ? error.message : null;
    logger.warn({ host, reason, deliveryId, eventId }, "webhook.address_refused");
  }
}

const QUIET_MS = 10_000;
const MAX_URLS = 2_000;
const allowedUrls = new BoundedMap<string, URL>(MAX_URLS);

/** Checked again: the URL may have been stored under older rules, or not by the registry. */
function allowedUrl(raw: string): URL {
  const known = allowedUrls.get(raw);
  if (known) return known;
  try {
    const url = parseWebhookUrl(raw);
    allowedUrls.set(raw, url);
    return url;
  } catch (cause) {
    throw new SendFault("UrlNotPublic", "the URL is not allowed", cause);
  }
}

const answered = ({ statusCode, retryAfter, body }: Reply, nowMs: number) => ({
  ...judgeStatus(statusCode),
  statusCode,
  responseExcerpt: excerptOf(body),
  retryAfterMs: readRetryAfter(statusCode, retryAfter, nowMs),
});

/** Rethrows what is our own fault. */
function faultKind(error: unknown): AttemptErrorKind {
  if (error instanceof SendFault && error.kind !== "Own") return error.kind;
  if (isTransportError(error)) return "Connect";
  throw error;
}
