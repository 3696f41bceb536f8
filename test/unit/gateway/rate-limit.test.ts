import type { ServerResponse } from "node:http";
import { describe, expect, test } from "@jest/globals";
import { createRateLimit } from "../../../gateway/admit/rate-limit.ts";
import type { Limit } from "../../../gateway/route.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import type { QuotaRequest } from "../../../shared/quota-leases.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const LIMITS = {
  pagesPerAddress: 1,
  failuresPerAddress: 2,
  loginsPerAddress: 3,
  tokensPerAddress: 4,
  readsPerMinute: 5,
  writesPerMinute: 6,
};
/** Two of the 2^64 addresses that the holder of one has. */
const NEIGHBOURS = ["2001:db8::1", "2001:db8::2"];
const NETWORK = "2001:db8:0:0::/64";
const ADDRESS = "198.51.100.1";

function aRateLimit() {
  const keys = new Set<string>();
  const limits = createRateLimit({
    config: LIMITS as Config,
    clock: { now: () => 0 },
    metrics: createMetrics("test"),
    call: async <T>(action: string, request: unknown) => {
      const { key, limit } = request as QuotaRequest;
      const isFirst = keys.size === 0;
      keys.add(`${action} ${key}`);
      return { granted: isFirst ? limit : 0, used: limit } as T;
    },
  });
  const count = async (limit: Limit, caller: Caller | null = null, address = ADDRESS) => {
    const headers: Record<string, unknown> = {};
    const setHeader = (name: string, value: unknown) => (headers[name] = value);
    await limits.count(limit, caller, address, { setHeader } as unknown as ServerResponse);
    return headers;
  };
  return { limits, keys, count };
}

const client = (clientId: string) => ({ kind: "partner", clientId, partnerId: "p" }) as Caller;
const user = (userId: string) => ({ kind: "user", userId, partnerId: "p" }) as Caller;

test("failures from one IPv6 network share a budget, whichever of its addresses they come from", async () => {
  const { limits, keys } = aRateLimit();
  for (const address of NEIGHBOURS) await limits.countFailure(address);
  expect([...keys]).toEqual([`auth-token.leaseQuota failure ${NETWORK}`]);
});

test.each<[Limit, Caller | null, string, number]>([
  ["login", null, `login ${NETWORK}`, 3],
  ["login", user("u1"), `login ${NETWORK}`, 3],
  ["token", null, `token-address ${NETWORK}`, 4],
  ["read", null, `read ${NETWORK}`, 5],
  ["read", client("c1"), "read c1", 5],
  ["read", user("u1"), "read u1", 5],
  ["write", client("c1"), "write c1", 6],
  ["write", user("u2"), "write u2", 6],
  ["write", { kind: "analyst", userId: "a1" } as Caller, "write a1", 6],
])("%s of %j: counted as %s, up to %d, then 429", async (limit, caller, key, most) => {
  const { keys, count } = aRateLimit();
  for (let left = most; left > 0; left -= 1) {
    const headers = await count(limit, caller, NEIGHBOURS[left % 2]);
    expect(headers).toMatchObject({
      "RateLimit-Limit": String(most),
      "RateLimit-Remaining": String(left - 1),
    });
  }
  await expect(count(limit, caller, NEIGHBOURS[0])).rejects.toMatchObject({
    type: "Request.RateLimited",
    data: { retryAfterSeconds: 60, headers: { "RateLimit-Remaining": "0" } },
  });
  expect([...keys]).toEqual([`auth-token.leaseQuota ${key}`]);
});

test("pages are counted per address in this process: no other service is asked", async () => {
  const { keys, count } = aRateLimit();
  expect(await count("page")).toMatchObject({ "RateLimit-Limit": "1" });
  await expect(count("page")).rejects.toMatchObject({ type: "Request.RateLimited" });
  await count("page", null, "198.51.100.2");
  expect(keys.size).toBe(0);
});

test("a route without a limit is not counted", async () => {
  const { keys, count } = aRateLimit();
  expect([await count("none"), keys.size]).toEqual([{}, 0]);
});

describe("an address that has spent its failures", () => {
  test("is refused before the work, and no other address is", async () => {
    const { limits } = aRateLimit();
    expect(limits.spentFailures(ADDRESS)).toBeNull();
    for (const remaining of ["1", "0"])
      expect(await limits.countFailure(ADDRESS)).toMatchObject({ "RateLimit-Remaining": remaining });
    const refusal = { type: "Request.RateLimited", data: { retryAfterSeconds: 60 } };
    await expect(limits.countFailure(ADDRESS)).rejects.toMatchObject(refusal);
    expect(limits.spentFailures(ADDRESS)).toMatchObject(refusal);
    expect(limits.spentFailures("198.51.100.2")).toBeNull();
  });
});
