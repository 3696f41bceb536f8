/**
 * Collects the requests of partners and reports them once a second, without delaying them. Requests beyond the limits, or
 * that cannot be reported, are dropped and counted. A process that dies loses its unreported requests.
 */

import type { Clock } from "../../shared/clock.ts";
import type { RequestBatch } from "../../shared/contract/actions/auth-token.ts";
import type { LoggedRequest } from "../../shared/contract/answers/request-log.ts";
import { orderedId } from "../../shared/ids.ts";
import { freeLane } from "../../shared/lanes.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import { type Finished, hasRoom, logged } from "./request-log.rules.ts";

export type RequestLog = {
  note(request: Finished): void;
  start(): void;
  stop(): Promise<void>;
};

type Deps = {
  tell(batch: RequestBatch): Promise<unknown>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
};

const EVERY_MS = 1_000;

export function createRequestLog({ tell, clock, logger, metrics }: Deps): RequestLog {
  let waiting: (LoggedRequest & { partnerId: string })[] = [];
  let counts = new Map<string, number>();
  let dropped = new Map<string, number>();

  const drop = (partnerId: string, count: number): void => {
    dropped.set(partnerId, (dropped.get(partnerId) ?? 0) + count);
    metrics.increment("pbo_request_log_dropped_total", {}, count);
  };

  async function round(): Promise<void> {
    if (waiting.length === 0 && dropped.size === 0) return;
    const entries = waiting;
    const told = dropped;
    waiting = [];
    counts = new Map();
    dropped = new Map();
    try {
      await tell({ entries, dropped: [...told].map(([partnerId, count]) => ({ partnerId, count })) });
    } catch (err) {
      for (const { partnerId } of entries) drop(partnerId, 1);
      for (const [partnerId, count] of told) dropped.set(partnerId, (dropped.get(partnerId) ?? 0) + count);
      throw err;
    }
  }

  const loop = createPollLoop({
    lane: freeLane,
    everyMs: EVERY_MS,
    round,
    onError: (err) => logger.warn({ err }, "request_log.not_told"),
  });

  return {
    note(request) {
      const { partnerId, status } = request;
      const ofPartner = counts.get(partnerId) ?? 0;
      if (!hasRoom(waiting.length, ofPartner, status)) return drop(partnerId, 1);
      const now = clock.now();
      counts.set(partnerId, ofPartner + 1);
      waiting.push(logged(request, { id: orderedId(now), at: new Date(now).toISOString() }));
    },
    start: () => loop.start(EVERY_MS),
    async stop() {
      await loop.stop();
      await round().catch((err) => logger.warn({ err }, "request_log.not_told"));
    },
  };
}
