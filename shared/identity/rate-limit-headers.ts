/** The headers that tell a caller how much of a budget is left. */
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
