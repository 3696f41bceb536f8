/**
 * Collects the requests of partners and reports them once a second, without delaying them. Requests beyond the limits, or
 * that cannot be reported, are dropped and counted. A process that dies loses its unreported requests.
 */

import type { Clock } from "../../shared/clock.ts";
import type { RequestBatch } from "../../shared/contract/actions/auth-token.ts";
import { orderedId } from "../../shared/ids.ts";
import { freeLane } from "../../shared/lanes.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import { hasRoom } from "./request-log.rules.ts";

export type RequestLog = ReturnType<typeof createRequestLog>;
type Entry = RequestBatch["entries"][number];

type Deps = {
  report(batch: RequestBatch): Promise<unknown>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
};

const EVERY_MS = 1_000;

export function createRequestLog({ report, clock, logger, metrics }: Deps) {
  let waiting: Entry[] = [];
  let counts = new Map<string, number>();
  let dropped = new Map<string, number>();

  const drop = (partnerId: string, count: number): void => {
    dropped.set(partnerId, (dropped.get(partnerId) ?? 0) + count);
    metrics.increment("pbo_request_log_dropped_total", {}, count);
  };

  async function round(): Promise<void> {
    if (waiting.length === 0 && dropped.size === 0) return;
    const entries = waiting;
    const missed = dropped;
    waiting = [];
    counts = new Map();
    dropped = new Map();
    try {
      await report({ entries, dropped: [...missed].map(([partnerId, count]) => ({ partnerId, count })) });
    } catch (err) {
      for (const { partnerId } of entries) drop(partnerId, 1);
      for (const [partnerId, count] of missed) dropped.set(partnerId, (dropped.get(partnerId) ?? 0) + count);
      throw err;
    }
  }

  const loop = createPollLoop({
    lane: freeLane,
    everyMs: EVERY_MS,
    round,
    onError: (err) => logger.warn({ err }, "request_log.not_written"),
  });

  return {
    /** An answered request of a partner's API client. */
    note(request: Omit<Entry, "id" | "at">) {
      const { partnerId, status } = request;
      const ofPartner = counts.get(partnerId) ?? 0;
      if (!hasRoom(waiting.length, ofPartner, status)) return drop(partnerId, 1);
      const now = clock.now();
      counts.set(partnerId, ofPartner + 1);
      waiting.push({ id: orderedId(now), at: new Date(now).toISOString(), ...request });
    },
    start: () => loop.start(EVERY_MS),
    async stop(): Promise<void> {
      await loop.stop();
      await round().catch((err) => logger.warn({ err }, "request_log.not_written"));
    },
  };
}
