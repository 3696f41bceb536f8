import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createQuotaLeases, type QuotaRequest } from "../../../shared/quota-leases.ts";

/** The store in memory: it grants a tenth of the remaining budget, at least what is wanted. */
function lender(limit = Number.POSITIVE_INFINITY) {
  const used = new Map<string, number>();
  const calls: QuotaRequest[] = [];
  return {
    calls,
    used,
    async lease(request: QuotaRequest) {
      calls.push(request);
      const key = `${request.key} ${request.window}`;
      const before = used.get(key) ?? 0;
      const remaining = Math.max(0, Math.min(limit, request.limit) - before);
      const granted =
        request.want < 0
          ? request.want
          : Math.min(remaining, Math.max(request.want, Math.floor(remaining / 10)));
      used.set(key, before + granted);
      return { granted, used: before + granted };
    },
  };
}
const at = (now: number) => ({ now: () => now });

describe("createQuotaLeases", () => {
  test("exactly the limit, with few questions", async () => {
    const bank = lender();
    const leases = createQuotaLeases({ clock: at(0), lease: bank.lease });
    const verdicts = [];
    for (let use = 0; use < 601; use += 1) verdicts.push(await leases.take("a", 600));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(600);
    expect(verdicts.at(-1)).toEqual({ allowed: false, limit: 600, remaining: 0, resetSeconds: 60 });
    expect(bank.calls.length).toBeLessThan(60);
  });

  test("several processes at once never give out more than the limit, and all of it", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 120 }),
        async (limit, processes, uses) => {
          const bank = lender();
          const all = Array.from({ length: processes }, () =>
            createQuotaLeases({ clock: at(0), lease: bank.lease }),
          );
          const verdicts = await Promise.all(
            Array.from({ length: uses }, (_, use) => all[use % processes]?.take("a", limit)),
          );
          const allowed = verdicts.filter((verdict) => verdict?.allowed).length;
          expect(allowed).toBeLessThanOrEqual(limit);
          if (processes === 1) expect(allowed).toBe(Math.min(limit, uses));
        },
      ),
    ));

  test("a request that waits over the full minute spends the budget of the new one, and none of it is lost", async () => {
    let now = 59_999;
    const bank = lender();
    const { promise: late, resolve: answerLate } = Promise.withResolvers<void>();
    const lease = async (request: QuotaRequest) => {
      if (request.window > 0) return bank.lease(request);
      await late;
      return { granted: 1, used: 1 };
    };
    const leases = createQuotaLeases({ clock: { now: () => now }, lease });
    const waiting = [leases.take("a", 100), leases.take("a", 100)];
    now = 60_000;
    answerLate();
    const verdicts = [...(await Promise.all(waiting)), await leases.take("a", 100)];
    expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
    expect(bank.calls).toHaveLength(1);
    await leases.close();
    expect(bank.used.get("a 1")).toBe(verdicts.length);
  });

  test("a lender that grants nothing is believed, and not asked for ever", async () => {
    const bank = lender(0);
    const leases = createQuotaLeases({ clock: at(0), lease: bank.lease });
    expect((await leases.take("a", 5)).allowed).toBe(false);
    expect((await leases.take("a", 5)).allowed).toBe(false);
    expect(bank.calls).toHaveLength(1);
  });
});
