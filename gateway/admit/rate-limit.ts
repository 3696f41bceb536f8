/** Rate limits per minute: per client for the API, per network address for unknown callers. */
import type { ServerResponse } from "node:http";
import type { Config } from "../../shared/config/config.ts";
import { withDeadline } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import { addressKey } from "../../shared/identity/address-key.ts";
import type { Caller } from "../../shared/identity/caller.ts";
import { rateLimitHeaders } from "../../shared/identity/rate-limit-headers.ts";
import { createQuotaLeases, type QuotaGrant, type QuotaVerdict } from "../../shared/quota-leases.ts";
import type { Limit } from "../route.ts";
import type { GatekeeperDeps } from "./gatekeeper-deps.ts";

/** A request does not wait longer for its budget; then this process counts for itself. */
const LEASE_DEADLINE_MS = 2_000;

type Budget = { name: string; key: string; limit: number };
type Deps = Pick<GatekeeperDeps, "config" | "clock" | "metrics" | "call">;

export function createRateLimit({ config, clock, metrics, call }: Deps) {
  const quotas = createQuotaLeases({
    clock,
    lease: (request) => withDeadline(call<QuotaGrant>("auth-token.leaseQuota", request), LEASE_DEADLINE_MS),
  });

  /** Each process counts its pages for itself, so that pages need no other service. */
  const pages = createQuotaLeases({ clock, lease: async ({ limit }) => ({ granted: limit, used: limit }) });

  const take = async ({ name, key, limit }: Budget): Promise<QuotaVerdict> => {
    const verdict = await (name === "page" ? pages : quotas).take(`${name} ${key}`, limit);
    if (!verdict.allowed) metrics.increment("pbo_rate_limited_total", { budget: name });
    return verdict;
  };

  return {
    /** Sets the RateLimit headers; throws Request.RateLimited when the budget is spent. */
    async count(limit: Limit, caller: Caller | null, address: string, response: ServerResponse) {
      const budget = budgetOf(limit, caller, address, config);
      if (!budget) return;
      const verdict = await take(budget);
      for (const [name, value] of Object.entries(rateLimitHeaders(verdict))) response.setHeader(name, value);
      if (!verdict.allowed) throw tooMany(verdict);
    },
    /** Counts a refused caller; resolves to its headers, throws Request.RateLimited when the budget is spent. */
    async countFailure(address: string): Promise<Record<string, string>> {
      const key = addressKey(address);
      const verdict = await take({ name: "failure", key, limit: config.failuresPerAddress });
      if (!verdict.allowed) throw tooMany(verdict);
      return rateLimitHeaders(verdict);
    },
    /** The refusal of an address that has spent its failures; null for others. */
    spentFailures(address: string): AppError | null {
      const verdict = quotas.ifSpent(`failure ${addressKey(address)}`, config.failuresPerAddress);
      if (verdict) metrics.increment("pbo_rate_limited_total", { budget: "failure" });
      return verdict && tooMany(verdict);
    },
    close: quotas.close,
  };
}

function budgetOf(kind: Limit, caller: Caller | null, address: string, config: Config): Budget | null {
  switch (kind) {
    case "none":
      return null;
    case "page":
      return { name: "page", key: addressKey(address), limit: config.pagesPerAddress };
    case "login":
      return { name: "login", key: addressKey(address), limit: config.loginsPerAddress };
    // auth-token counts the token budget per client, once the client is authenticated.
    case "token":
      return { name: "token-address", key: addressKey(address), limit: config.tokensPerAddress };
    case "read":
      return { name: kind, key: callerKey(caller, address), limit: config.readsPerMinute };
    case "write":
      return { name: kind, key: callerKey(caller, address), limit: config.writesPerMinute };
  }
}

function callerKey(caller: Caller | null, address: string): string {
  if (!caller) return addressKey(address);
  return caller.kind === "partner" ? caller.clientId : caller.userId;
}

const tooMany = (verdict: QuotaVerdict): AppError =>
  new AppError("Request.RateLimited", "Too many requests. Wait for the seconds in Retry-After.", {
    retryAfterSeconds: verdict.resetSeconds,
    headers: rateLimitHeaders(verdict),
  });
