/** Tells the registry how attempts went: gathered per endpoint while a report is under way, kept while it is away. */
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { RegisteredEndpoint } from "./endpoint-directory.ts";

export type ReportedOutcome = {
  at: string;
  /** Where the attempt went; the endpoint may have another URL by now. */
  url: string;
  ok: boolean;
  statusCode: number | null;
  errorKind: string | null;
  exhausted: boolean;
};

/** What webhook-registry.reportHealth takes and answers. */
export type HealthReport = { endpointId: string; partnerId: string; outcomes: readonly ReportedOutcome[] };
export type HealthAnswer = {
  status: RegisteredEndpoint["status"];
  consecutiveFailures: number;
  healed: boolean;
  disabled: boolean;
};

export type HealthReporter = {
  add(endpoint: RegisteredEndpoint, outcome: AttemptOutcome, isExhausted: boolean): void;
  stop(): Promise<void>;
};

type Deps = {
  report(report: HealthReport): Promise<HealthAnswer>;
  onHealed(endpointId: string): Promise<void>;
  onDisabled(endpointId: string): Promise<void>;
  /** It failed, although it may have just been healed. */
  onFailing(endpointId: string): Promise<void>;
  /** The status changed: what was known of the endpoint is old. */
  onChanged(partnerId: string): void;
  clock: Clock;
  logger: Logger;
};

const MOST_PER_REPORT = 100;
/** Of an endpoint's outcomes in a long absence of the registry the latest decide. */
const MOST_WAITING = 1_000;
const RETRY_FIRST_MS = 200;
const RETRY_LONGEST_MS = 5_000;

type Line = {
  partnerId: string;
  waiting: ReportedOutcome[];
  running: Promise<void> | null;
  lastAt: number;
  /** Failures that were told and not yet followed by a success. */
  isFailing: boolean;
};

export function createHealthReporter({ report, clock, logger, ...events }: Deps): HealthReporter {
  const lines = new Map<string, Line>();
  const stopping = new AbortController();

  async function run(endpoint: RegisteredEndpoint, line: Line): Promise<void> {
    const { endpointId, partnerId } = endpoint;
    while (line.waiting.length > 0 && !stopping.signal.aborted) {
      const outcomes = line.waiting.splice(0, MOST_PER_REPORT);
      const answer = await reportThroughFaults({ endpointId, partnerId, outcomes });
      if (answer) await react(endpoint, line, answer);
    }
    line.running = null;
    if (!line.isFailing) lines.delete(endpointId);
  }

  async function reportThroughFaults(told: HealthReport): Promise<HealthAnswer | null> {
    for (let wait = RETRY_FIRST_MS; ; wait = Math.min(wait * 2, RETRY_LONGEST_MS)) {
      try {
        return await report(told);
      } catch (err) {
        logger.warn({ err, endpointId: told.endpointId }, "health.not_reported");
        if (stopping.signal.aborted) return null;
        await setTimeout(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function react(
    { endpointId, partnerId, status }: RegisteredEndpoint,
    line: Line,
    answer: HealthAnswer,
  ) {
    line.isFailing = answer.consecutiveFailures > 0;
    if (answer.status !== status || answer.healed) events.onChanged(partnerId);
    try {
      if (answer.healed) await events.onHealed(endpointId);
      if (line.isFailing) await events.onFailing(endpointId);
      if (answer.disabled) await events.onDisabled(endpointId);
    } catch (err) {
      logger.warn({ err, endpointId }, "health.not_followed_up");
    }
  }

  return {
    add(endpoint, { ok, statusCode, errorKind }, exhausted) {
      const { endpointId, partnerId, url, status, consecutiveFailures } = endpoint;
      const known = lines.get(endpointId);
      const isHealthy = status === "Active" && consecutiveFailures === 0 && !known?.isFailing;
      if (ok && isHealthy && !known?.running) return;
      const line = known ?? { partnerId, waiting: [], running: null, lastAt: 0, isFailing: false };
      lines.set(endpointId, line);
      if (!ok) line.isFailing = true;
      // Each at a time of its own: the registry tells outcomes apart by it.
      line.lastAt = Math.max(clock.now(), line.lastAt + 1);
      const at = new Date(line.lastAt).toISOString();
      line.waiting.push({ at, url, ok, statusCode, errorKind, exhausted });
      if (line.waiting.length > MOST_WAITING) line.waiting.shift();
      line.running ??= run(endpoint, line);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...lines.values()].map(({ running }) => running));
    },
  };
}
