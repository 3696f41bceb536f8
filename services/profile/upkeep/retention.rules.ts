/** How long decided customers are kept. */
import type { VerificationStatus } from "../../../shared/contract/vocabularies.ts";

type Retention = { retentionRejectedDays: number; retentionApprovedDays: number };
type RetentionEnd = { verificationStatus: VerificationStatus; unchangedSince: string; reason: string };

const DAY_MS = 86_400_000;

/** Customers of this state that have not changed since may be erased. */
export const retentionEnds = (
  { retentionRejectedDays, retentionApprovedDays }: Retention,
  nowMs: number,
): RetentionEnd[] =>
  (
    [
      ["Rejected", retentionRejectedDays],
      ["Approved", retentionApprovedDays],
    ] as const
  )
    .filter(([, days]) => days > 0)
    .map(([verificationStatus, days]) => ({
      verificationStatus,
      unchangedSince: new Date(nowMs - days * DAY_MS).toISOString(),
      reason: `${verificationStatus} and unchanged for ${days} days`,
    }));
