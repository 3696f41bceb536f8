/** Whether creates go on while one of two processes cannot reach its database. */
import type { Fault } from "./faults.rules.ts";
import type { Create } from "./ledger.rules.ts";

export type Span = {
  fault: Pick<Fault, "kind"> & Partial<Pick<Fault, "target">>;
  fromMs: number;
  toMs: number;
};

/** Until then the circuit breaker counts, and calls that began before the fault are answered. */
const BREAKER_MS = 8_000;
/** A busy machine may lose one for a reason of its own. */
const MOST_REFUSED = { share: 0.05, atLeast: 1 };
/** Fewer say nothing about a share. */
const ENOUGH = 8;

/** A fault beside it excuses refusals. */
export function cutOffViolations(
  creates: readonly Pick<Create, "answer">[],
  spans: readonly Span[],
): string[] {
  return spans.flatMap((span) => {
    const isAlone = spans.every(
      (other) => other === span || other.fromMs > span.toMs || other.toMs < span.fromMs,
    );
    if (span.fault.kind !== "link-cut-off" || !isAlone) return [];
    const judged = creates.filter(
      ({ answer }) => answer.atMs > span.fromMs + BREAKER_MS && answer.atMs < span.toMs,
    );
    const refused = judged.filter(({ answer }) => answer.status !== 200).length;
    if (
      judged.length < ENOUGH ||
      refused <= Math.max(MOST_REFUSED.atLeast, MOST_REFUSED.share * judged.length)
    )
      return [];
    return [`creates refused while one process was cut off from MongoDB: ${refused} of ${judged.length}`];
  });
}
