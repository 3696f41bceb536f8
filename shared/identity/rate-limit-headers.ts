/** Headers with the remaining budget of a caller. */
import type { QuotaVerdict } from "../quota-leases.ts";

export const rateLimitHeaders = ({
  limit,
  remaining,
  resetSeconds,
}: QuotaVerdict): Record<string, string> => ({
  "RateLimit-Limit": String(limit),
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Reset": String(resetSeconds),
});
