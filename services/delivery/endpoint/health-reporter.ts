/** Reports outcomes to the registry: gathered per endpoint while a report is in flight, kept while the registry is away. */
import type { Clock } from "../../../shared/clock.ts";
import type {
  DeliveryEndpoint,
  HealthAnswer,
  HealthReport,
  ReportedOutcome,
} from "../../../shared/contract/actions/webhook-registry.ts";
import { retry } from "../../../shared/retry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";

type Deps = {
  report(report: HealthReport): Promise<HealthAnswer>;
  onHealed(endpoint: DeliveryEndpoint): Promise<void>;
  onDisabled(endpoint: DeliveryEndpoint): Promise<void>;
  /** It failed, although it may have just been healed. */
  onFailing(endpointId: string): Promise<void>;
  /** The status changed: what was known of the endpoint is old. */
  onChanged(partnerId: string): void;
  clock: Clock;
  logger: Logger;
};

const MAX_PER_REPORT = 100;
/** Outcomes kept per endpoint while the registry is down; the latest decide. */
const MAX_WAITING = 1_000;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;

type Line = {
  waiting: ReportedOutcome[];
  running: Promise<void> | null;
  lastAt: number;
  /** By the last answer of the registry. */
  isFailing: boolean;
};

export function createHealthReporter({ report, clock, logger, ...events }: Deps) {
  const lines = new Map<string, Line>();
  const stopping = new AbortController();

  async function run(endpoint: DeliveryEndpoint, line: Line): Promise<void> {
    const { endpointId, partnerId } = endpoint;
    const onFault = (err: unknown) => logger.warn({ err, endpointId }, "health.not_reported");
    const options = { firstWaitMs: FIRST_WAIT_MS, maxWaitMs: MAX_WAIT_MS, signal: stopping.signal, onFault };
    while (line.waiting.length > 0) {
      const outcomes = line.waiting.splice(0, MAX_PER_REPORT);
      try {
        await react(endpoint, line, await retry(() => report({ endpointId, partnerId, outcomes }), options));
      } catch (err) {
        // The process stops and the registry is away: nothing more is reported.
        line.waiting.length = 0;
        onFault(err);
      }
    }
    line.running = null;
    if (!line.isFailing) lines.delete(endpointId);
  }

  async function react(endpoint: DeliveryEndpoint, line: Line, answer: HealthAnswer): Promise<void> {
    const { endpointId, partnerId, status } = endpoint;
    line.isFailing = answer.consecutiveFailures > 0;
    if (answer.status !== status || answer.healed) events.onChanged(partnerId);
    try {
      if (answer.healed) await events.onHealed(endpoint);
      if (line.isFailing) await events.onFailing(endpointId);
      if (answer.disabled) await events.onDisabled(endpoint);
    } catch (err) {
      logger.warn({ err, endpointId }, "health.change_not_handled");
    }
  }

  return {
    add(endpoint: DeliveryEndpoint, { ok, statusCode, errorKind }: AttemptOutcome, exhausted: boolean): void {
      const { endpointId, url, status, consecutiveFailures } = endpoint;
      const known = lines.get(endpointId);
      const isHealthy = status === "Active" && consecutiveFailures === 0 && !known?.isFailing;
      if (ok && isHealthy && !known?.running) return;
      const line = known ?? { waiting: [], running: null, lastAt: 0, isFailing: false };
      lines.set(endpointId, line);
      // Every outcome has its own time, by which the registry distinguishes them.
      line.lastAt = Math.max(clock.now(), line.lastAt + 1);
      const at = new Date(line.lastAt).toISOString();
      line.waiting.push({ at, url, ok, statusCode, errorKind, exhausted });
      if (line.waiting.length > MAX_WAITING) line.waiting.shift();
      line.running ??= run(endpoint, line);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([...lines.values()].map(({ running }) => running));
    },
  };
}
