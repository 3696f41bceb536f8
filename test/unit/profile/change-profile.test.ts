import { describe, expect, test } from "@jest/globals";
import { changeProfile } from "../../../services/profile/change/change-profile.ts";
import type { CallOrigin } from "../../../services/profile/change/profile-events.rules.ts";
import type { Deps } from "../../../services/profile/deps.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { createKeyedMutex } from "../../../shared/keyed-mutex.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";

const AT = "2030-01-01T00:00:00.000Z";
const origin: CallOrigin = {
  requestId: "r1",
  correlationId: "c1",
  traceparent: null,
  actor: { kind: "partner", id: "p" },
};

/** A database in which somebody else is faster so many times. */
function setUp(losses: number) {
  let stored = aStoredProfile({ tradingName: null });
  const published: string[] = [];
  let reads = 0;
  let writes = 0;
  const profiles = {
    async compareAndSet(before: Profile, after: Profile) {
      writes += 1;
      if (writes <= losses) {
        const [version, sequence] = [stored.version + 1, stored.sequence + 1];
        stored = { ...stored, version, sequence, website: `other ${writes}` };
        return false;
      }
      expect(before.version).toBe(stored.version);
      stored = after;
      return true;
    },
  };
  const deps = {
    profiles,
    clock: { now: () => Date.parse(AT) },
    outbox: {
      publish: (entries: { body: string }[]) => void published.push(...entries.map(({ body }) => body)),
    },
    mutex: createKeyedMutex(),
  } as unknown as Deps;
  const change = () =>
    changeProfile(deps, {
      customerId: "c",
      origin,
      read: async () => {
        reads += 1;
        return stored;
      },
      decide: (current) => ({
        after: { ...current, tradingName: "mine", version: current.version + 1 },
        facts: [{ eventType: "business.profile.updated" as const, data: {} }],
        action: "patch",
        answer: ({ version }) => version,
      }),
    });
  return { change, current: () => stored, published, counts: () => ({ reads, writes }) };
}

describe("changeProfile", () => {
  test("decides again on what others stored meanwhile, and loses none of it", async () => {
    const { change, current, published, counts } = setUp(3);
    expect(await change()).toBe(5);
    expect(counts()).toEqual({ reads: 4, writes: 4 });
    expect(current()).toMatchObject({ website: "other 3", tradingName: "mine", sequence: 5 });
    expect(published.map((body) => JSON.parse(body).correlation.sequence)).toEqual([5]);
  });

  test("fails with Customer.Conflict when others are always faster, and publishes nothing", async () => {
    const { change, current, published } = setUp(Number.POSITIVE_INFINITY);
    await expect(change()).rejects.toMatchObject({ type: "Customer.Conflict", code: 409 });
    expect(current().tradingName).toBeNull();
    expect(published).toEqual([]);
  });
});
