import type { ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import { createRateLimit } from "../../../gateway/admit/rate-limit.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { QuotaRequest } from "../../../shared/quota-leases.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const LIMIT = 10;
/** Two of the 2^64 addresses that the holder of one has. */
const NEIGHBOURS = ["2001:db8::1", "2001:db8::2"];

function aRateLimit() {
  const keys = new Set<string>();
  const limits = createRateLimit({
    config: {
      failuresPerAddress: LIMIT,
      loginsPerAddress: LIMIT,
      tokensPerAddress: LIMIT,
      readsPerMinute: LIMIT,
      writesPerMinute: LIMIT,
    } as Config,
    clock: { now: () => 0 },
    metrics: createMetrics("test"),
    call: async <T>(_action: string, request: unknown) => {
      keys.add((request as QuotaRequest).key);
      return { granted: LIMIT, used: 0 } as T;
    },
  });
  return { limits, keys };
}

const response = { setHeader: () => undefined } as unknown as ServerResponse;

test("failures from one IPv6 network share a budget, whichever of its addresses they come from", async () => {
  const { limits, keys } = aRateLimit();
  for (const address of NEIGHBOURS) await limits.countFailure(address);
  expect([...keys]).toEqual(["failure 2001:db8:0:0::/64"]);
});

test.each([
  ["logins", "login", "login"],
  ["token requests", "token", "token-address"],
  ["reads without a caller", "read", "read"],
] as const)("%s from one IPv6 network share a budget too", async (_, limit, budget) => {
  const { limits, keys } = aRateLimit();
  for (const address of NEIGHBOURS) await limits.count(limit, null, address, response);
  expect([...keys]).toEqual([`${budget} 2001:db8:0:0::/64`]);
});
