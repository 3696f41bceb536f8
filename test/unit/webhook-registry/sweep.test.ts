/** What only time changes of an endpoint. */
import { describe, expect, jest, test } from "@jest/globals";
import type { Deps } from "../../../services/webhook-registry/deps.ts";
import type { Endpoint } from "../../../services/webhook-registry/endpoint.model.ts";
import { healthy } from "../../../services/webhook-registry/health.rules.ts";
import { sweepEndpoints } from "../../../services/webhook-registry/sweep.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS);
const aSecret = (id: string, notAfter: Date | null) => ({
  id,
  sealed: id,
  createdAt: hoursAgo(99),
  notAfter,
});

const anEndpoint = (partnerId: string, wish: Partial<Endpoint> = {}): Endpoint => ({
  ...healthy(hoursAgo(99)),
  _id: `endpoint of ${partnerId}`,
  partnerId,
  url: "https://example.com",
  secrets: [],
  createdAt: hoursAgo(99),
  updatedAt: hoursAgo(99),
  liveSince: hoursAgo(99),
  partnerInactiveSince: null,
  version: 1,
  ...wish,
});
const degraded = { status: "Degraded", hasExhausted: true, failingSince: hoursAgo(72) } as const;

/** What the queries find is given as it is; the real ones are tested against MongoDB. */
async function sweep({ overdue = [], expired = [] }: { overdue?: Endpoint[]; expired?: Endpoint[] }) {
  const stored = new Map([...overdue, ...expired].map((endpoint) => [endpoint.partnerId, endpoint]));
  const changed: string[] = [];
  const asked: Date[] = [];
  const warn = jest.fn();
  const deps = {
    endpoints: {
      async findDegradedSince(limit: Date) {
        asked.push(limit);
        return overdue;
      },
      async findWithExpiredSecrets(now: Date) {
        asked.push(now);
        return expired;
      },
      findByPartner: async (partnerId: string) => stored.get(partnerId) ?? null,
      async replaceIfUnchanged(before: Endpoint, change: Partial<Endpoint>) {
        await new Promise((resolve) => setImmediate(resolve));
        const after = { ...before, ...change };
        stored.set(before.partnerId, after);
        changed.push(before.partnerId);
        return after;
      },
    },
    clock: { now: () => NOW },
    logger: { warn },
    thresholds: { disabledAfterMs: 72 * HOUR_MS },
    announceChange: () => undefined,
  };
  await sweepEndpoints(deps as unknown as Deps);
  return { stored, changed, asked, warn };
}

describe("sweepEndpoints", () => {
  test("three days without success, and a delivery that was given up: disabled, and operators hear of it", async () => {
    const { stored, asked, warn } = await sweep({ overdue: [anEndpoint("a", degraded)] });
    expect(stored.get("a")).toMatchObject({ status: "Disabled", disabledReason: "ConsecutiveFailures" });
    expect(asked).toEqual([hoursAgo(72), new Date(NOW)]);
    expect(warn.mock.calls).toEqual([
      [
        expect.objectContaining({ partnerId: "a", from: "Degraded", to: "Disabled" }),
        "endpoint.health_changed",
      ],
    ]);
  });

  test("no delivery was given up: stays as it is, and nobody hears of it", async () => {
    const { changed, warn } = await sweep({
      overdue: [anEndpoint("a", { ...degraded, hasExhausted: false })],
    });
    expect([changed, warn.mock.calls]).toEqual([[], []]);
  });

  test("secrets whose time is over are dropped; where another sweep did so before, nothing is written", async () => {
    const secrets = [aSecret("new", null), aSecret("old", new Date(NOW))];
    const { stored, changed } = await sweep({
      expired: [anEndpoint("a", { secrets }), anEndpoint("b", { secrets: secrets.slice(0, 1) })],
    });
    expect(stored.get("a")?.secrets.map(({ id }) => id)).toEqual(["new"]);
    expect(changed).toEqual(["a"]);
  });
});
