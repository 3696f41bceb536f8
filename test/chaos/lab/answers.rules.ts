/** Whether the answers of a round were on time, and refused only while a fault was in force. */
import type { Span } from "./cut-off.rules.ts";
import { FAULT_KINDS, type FaultKind } from "./faults.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Call } from "./ledger.rules.ts";

type Family = (typeof FAULT_KINDS)[FaultKind]["family"];

/** ARCHITECTURE: an outage is answered with 503 within fifteen seconds. The rest is for this machine's own loop. */
const ANSWER_WITHIN_MS = 15_500;
/** The promise: work resumes within five seconds. */
const RESUMED_WITHIN_MS = 5_000;
/** A killed process starts anew on a busy machine. */
const RESTARTED_WITHIN_MS = 15_000;
/**
 * Share of the calls that a fault in force may refuse: all where a server or both replicas are away, half where one of two
 * replicas is, none where only receivers or stored data are at fault.
 */
const REFUSED_SHARE: Partial<Record<Family, number>> = { process: 0.5, receiver: 0, outbox: 0 };
const shareOf = ({ kind, target = "" }: Span["fault"]): number =>
  FAULT_KINDS[kind].family === "link" && !target.includes("*")
    ? 0.5
    : (REFUSED_SHARE[FAULT_KINDS[kind].family] ?? 1);
/** Calls that a busy machine may refuse at any time. */
const ALWAYS = { share: 0.02, atLeast: 3 };

type Round = { calls: readonly Call[]; spans: readonly Span[] };

/** A call without an answer counts as refused. */
export const isRefused = ({ status }: Call): boolean => status === null || status === 503;

export function mostRefused({ calls, spans }: Round): number {
  const allowed = calls.map(({ atMs, tookMs }) => {
    const during = spans.filter(({ fault, fromMs, toMs }) => {
      const restMs = FAULT_KINDS[fault.kind].family === "process" ? RESTARTED_WITHIN_MS : RESUMED_WITHIN_MS;
      return atMs + tookMs >= fromMs && atMs <= toMs + restMs;
    });
    return Math.max(0, ...during.map(({ fault }) => shareOf(fault)));
  });
  const sum = allowed.reduce((all, share) => all + share, 0);
  return Math.ceil(sum + Math.max(ALWAYS.atLeast, ALWAYS.share * calls.length));
}

export function answerViolations(round: Round): string[] {
  const { calls, spans } = round;
  const [refused, most] = [calls.filter(isRefused), mostRefused(round)];
  /** A frozen gateway answers nothing; its calls wait in its socket. */
  const frozenMs = spans
    .filter(({ fault }) => fault.kind === "process-freeze" && fault.target?.startsWith("gateway"))
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const late = calls.filter(({ tookMs }) => tookMs > ANSWER_WITHIN_MS + frozenMs);
  return [
    ...grouped("answered later than 15 s", late, ({ what, tookMs }) => `${what} ${Math.round(tookMs)} ms`),
    ...(refused.length > most
      ? [`refused or unknown: ${refused.length} of ${calls.length} calls, allowed are ${most}`]
      : []),
  ];
}
