/** Whether an attempt that is due is made now. */
import type { OpenDelivery } from "../records/delivery.repository.ts";

export type Verdict =
  | { kind: "send" }
  | { kind: "putOff"; untilMs: number }
  | { kind: "exhaust"; because: "endpoint not live" | "event gone" };

type Situation = {
  delivery: Pick<OpenDelivery, "nextAttemptAt">;
  endpointIsLive: boolean;
  /** Its body is still there. */
  hasEvent: boolean;
  pausedUntil: number | null;
  nowMs: number;
};

/** Clocks of two processes may differ by this much. */
const EARLY_MS = 2_000;

export function judgeAttempt({ delivery, endpointIsLive, hasEvent, pausedUntil, nowMs }: Situation): Verdict {
  if (!endpointIsLive) return { kind: "exhaust", because: "endpoint not live" };
  const notBefore = Math.max(pausedUntil ?? 0, (delivery.nextAttemptAt?.getTime() ?? 0) - EARLY_MS);
  if (notBefore > nowMs) return { kind: "putOff", untilMs: notBefore };
  return hasEvent ? { kind: "send" } : { kind: "exhaust", because: "event gone" };
}
