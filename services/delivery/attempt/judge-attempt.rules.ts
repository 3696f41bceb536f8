/** Whether an attempt that was asked for is still to be made: the record decides, not the message. */
import type { OpenDelivery } from "../records/delivery.repository.ts";

export type Verdict =
  | { kind: "send" }
  /** Made already, over, or handed over again since: the message is late or a copy. */
  | { kind: "ignore" }
  | { kind: "putOff"; untilMs: number }
  | { kind: "giveUp"; because: "endpoint not live" | "event gone" };

type Situation = {
  delivery: Pick<OpenDelivery, "status" | "attemptCount" | "nextAttemptAt" | "claim">;
  /** Of the message. */
  attemptNo: number;
  claim: string | null;
  endpointIsLive: boolean;
  /** Its body is still there. */
  hasEvent: boolean;
  pausedUntil: number | null;
  nowMs: number;
};

/** Clocks of two processes may differ by this much. */
const EARLY_MS = 2_000;

export function judgeAttempt({
  delivery,
  attemptNo,
  claim,
  endpointIsLive,
  hasEvent,
  pausedUntil,
  nowMs,
}: Situation): Verdict {
  if (delivery.status !== "Pending" || delivery.attemptCount !== attemptNo - 1) return { kind: "ignore" };
  if ((delivery.claim ?? null) !== claim) return { kind: "ignore" };
  if (!endpointIsLive) return { kind: "giveUp", because: "endpoint not live" };
  const notBefore = Math.max(pausedUntil ?? 0, (delivery.nextAttemptAt?.getTime() ?? 0) - EARLY_MS);
  if (notBefore > nowMs) return { kind: "putOff", untilMs: notBefore };
  return hasEvent ? { kind: "send" } : { kind: "giveUp", because: "event gone" };
}
