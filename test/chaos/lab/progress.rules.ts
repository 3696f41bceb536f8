/** Whether work moved, and whether readiness was honest about it: judged from samples taken every second. */
import type { Span } from "./cut-off.rules.ts";
import { FAULT_KINDS, LAB_PROCESSES, linksOf, processesOf } from "./faults.rules.ts";

/** Each kind of work, and the services that do it. */
const SERVICES = {
  "outboxes hold events": ["profile", "delivery"],
  "deliveries pend": ["delivery", "webhook-registry"],
  "replays are not done": ["delivery"],
} as const;
export type WorkKind = keyof typeof SERVICES;
export const WORK_KINDS = Object.keys(SERVICES) as WorkKind[];
type Counts = Record<WorkKind, number>;

export type Sample = {
  atMs: number;
  /** Until then, by the host (running-time.ts). */
  stolenMs: number;
  /** Processes that did not answer 200 on /readyz. */
  notReady: string[];
  /** Unready processes that answered. */
  refusing: string[];
  /** Work that is due. Null: could not be counted. */
  backlog: Counts | null;
  /** Rises with everything that is done: events recorded, attempts stored, replays made. */
  done: Counts | null;
};

/** Readiness may be behind the truth for this long. */
const HONEST_WITHIN_MS = 10_000;
/** The promise: work resumes within five seconds of a fault's end. */
export const CREATE_WITHIN_MS = 5_000;

/** A replica that is not ready leaves its work to the other. */
const isUnmanned = ({ notReady }: Sample, kind: WorkKind): boolean =>
  SERVICES[kind].some((service) =>
    LAB_PROCESSES.filter((name) => name.startsWith(service)).every((name) => notReady.includes(name)),
  );

/**
 * Work of a kind stood although a replica of each of its services said that it was ready. Only between the given times:
 * while a receiver is at fault, work stands for a reason that is none of the platform's.
 */
function standingMs(kind: WorkKind, samples: readonly Sample[], isExcused: (atMs: number) => boolean) {
  let longest = 0;
  let since: Sample | null = null;
  for (const sample of samples) {
    const { backlog, done, atMs, stolenMs } = sample;
    const hasWork = backlog !== null && done !== null && backlog[kind] > 0;
    const hasMoved = (before: Sample) =>
      done?.[kind] !== before.done?.[kind] || (backlog?.[kind] ?? 0) < (before.backlog?.[kind] ?? 0);
    if (!hasWork || isUnmanned(sample, kind) || isExcused(atMs)) since = null;
    else if (since === null || hasMoved(since)) since = sample;
    else longest = Math.max(longest, atMs - since.atMs - (stolenMs - since.stolenMs));
  }
  return longest;
}

export const stoodWhileReady = (samples: readonly Sample[], isExcused: (atMs: number) => boolean): string[] =>
  WORK_KINDS.flatMap((kind) => {
    const ms = standingMs(kind, samples, isExcused);
    return ms > HONEST_WITHIN_MS ? [`${kind}: no progress for ${seconds(ms)} s by ready processes`] : [];
  });

/** Readiness may lag, and a killed process starts anew. */
const TOUCHED_FOR_MS = 15_000;
/** A busy machine may miss a check. */
const MOST_DROPS = 1;

/** Processes that became unready more than once although no fault was on them. */
export const flapping = (samples: readonly Sample[], spans: readonly Span[]): string[] =>
  [...new Set(samples.flatMap(({ refusing }) => refusing))].flatMap((name) => {
    const isTouched = (atMs: number) =>
      spans.some(
        ({ fault, fromMs, toMs }) => isOn(fault, name) && atMs >= fromMs && atMs <= toMs + TOUCHED_FOR_MS,
      );
    const drops = samples.filter(
      ({ refusing, atMs }, index) =>
        refusing.includes(name) && samples[index - 1]?.notReady.includes(name) === false && !isTouched(atMs),
    ).length;
    return drops > MOST_DROPS ? [`${name} became unready ${drops} times without a fault on it`] : [];
  });

/** The gateways' public readiness covers the system. */
function isOn({ kind, target = "" }: Span["fault"], name: string): boolean {
  const { family } = FAULT_KINDS[kind];
  if (family === "receiver" || family === "outbox") return false;
  if (name.startsWith("system")) return true;
  // A rotation of keys or users restarts any process.
  const named = family === "process" ? processesOf(target) : [];
  if (named.length > 0) return named.includes(name);
  return family !== "link" || linksOf(target).some((link) => link.startsWith(`${name}>`));
}

/** Next to other suites the first create may take longer, but must succeed. */
export function resumedLate(firstCreateMs: number | null, isBesideOthers = false): string[] {
  if (firstCreateMs !== null && (isBesideOthers || firstCreateMs <= CREATE_WITHIN_MS)) return [];
  const told = firstCreateMs === null ? "no create" : `the first create after ${seconds(firstCreateMs)} s`;
  return [`work resumed late: ${told}, promised are ${CREATE_WITHIN_MS / 1_000} s after the last fault`];
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
