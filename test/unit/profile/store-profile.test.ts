import { describe, expect, test } from "@jest/globals";
import { storeProfile } from "../../../services/profile/change/store-profile.ts";
import {
  DuplicateCustomer,
  DuplicateReference,
} from "../../../services/profile/record/profile.repository.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";

const profile = { _id: "c1", partnerId: "p1", partnerCustomerId: "ref" } as StoredProfile;
const away = Object.assign(new Error("gone"), { name: "MongoNetworkError" });

function setUp(...results: (Error | "stored")[]) {
  let tries = 0;
  const deps = {
    erasures: { isKeySpent: async () => false },
    clock: { now: () => 0 },
    profiles: {
      isReachable: () => true,
      async insert() {
        const result = results[Math.min(tries, results.length - 1)];
        tries += 1;
        if (result instanceof Error) throw result;
      },
      findById: async (): Promise<StoredProfile | null> => profile,
      idOfReference: async (): Promise<string | null> => "another",
    },
  };
  return { deps, tries: () => tries };
}

const store = (deps: Parameters<typeof storeProfile>[0], withinMs = 60_000) =>
  storeProfile(deps, profile, { firstWaitMs: 5, withinMs });

describe("storeProfile", () => {
  test("stores", async () => {
    expect(await store(setUp("stored").deps)).toBeNull();
  });

  test("an Idempotency-Key of an erased customer: nothing is written; a profile without a key is not asked about", async () => {
    const { deps, tries } = setUp("stored");
    const asked: unknown[] = [];
    deps.erasures.isKeySpent = async (...given: unknown[]) => asked.push(given) > 0;
    const keptAnswers = [{ key: "k" }] as StoredProfile["keptAnswers"] & {};
    const limits = { firstWaitMs: 5, withinMs: 60_000 };
    await expect(storeProfile(deps, { ...profile, keptAnswers }, limits)).rejects.toMatchObject({
      type: "Customer.Erased",
    });
    expect([asked, tries()]).toEqual([[["p1", "k", 0]], 0]);
    expect(await store(deps)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test("a database that comes back: tries again", async () => {
    const { deps, tries } = setUp(away, away, "stored");
    expect(await store(deps)).toBeNull();
    expect(tries()).toBe(3);
  });

  test.each([new DuplicateCustomer(), new DuplicateReference()])(
    "a try that was stored although its answer was lost, refused as %s: found by its id",
    async (duplicate) => {
      const { deps } = setUp(away, duplicate);
      deps.profiles.idOfReference = async () => "c1";
      expect(await store(deps)).toBe(profile);
    },
  );

  test("a reference whose customer is erased between the refusal and the question: stored at the next try", async () => {
    const { deps, tries } = setUp(new DuplicateReference(), "stored");
    deps.profiles.idOfReference = async () => null;
    expect(await store(deps)).toBeNull();
    expect(tries()).toBe(2);
  });

  test("a reference of another customer: refused with the id of that customer", async () => {
    const { deps } = setUp(new DuplicateReference());
    await expect(store(deps)).rejects.toMatchObject({
      type: "Customer.PartnerCustomerIdDuplicate",
      data: { details: [{ field: "partnerCustomerId", customerId: "another" }] },
    });
  });

  test("refused as its own duplicate, not on a majority yet: waits until it is", async () => {
    const { deps } = setUp(away, new DuplicateCustomer());
    let reads = 0;
    deps.profiles.findById = async () => {
      reads += 1;
      return reads < 3 ? null : profile;
    };
    expect(await store(deps)).toBe(profile);
  });

  test("a database that was never reachable: nothing was sent to it, and the caller gets Unavailable", async () => {
    const { deps, tries } = setUp("stored");
    deps.profiles.isReachable = () => false;
    await expect(store(deps, 30)).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(tries()).toBe(0);
  });

  test("a database that goes between two tries: the first may have stored it", async () => {
    const { deps } = setUp(away);
    let looks = 0;
    deps.profiles.isReachable = () => {
      looks += 1;
      return looks === 1;
    };
    await expect(store(deps, 30)).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
  });

  test("a database that stays unreachable: fails in time, and does not say that nothing was stored", async () => {
    const { deps, tries } = setUp(away);
    await expect(store(deps, 30)).rejects.toMatchObject({ type: "Service.OutcomeUnknown", cause: away });
    // Timers never fire early, so no more waits than these fit into the time; fewer do on a busy machine.
    expect(tries()).toBeLessThan(10);
  });

  test("any other error: is not tried again", async () => {
    const { deps, tries } = setUp(new TypeError("ours"));
    await expect(store(deps)).rejects.toThrow("ours");
    expect(tries()).toBe(1);
  });

  test("an id of another partner: an error of ours, never the customer of another partner", async () => {
    const { deps } = setUp(new DuplicateCustomer());
    deps.profiles.findById = async () => ({ ...profile, partnerId: "p2" });
    await expect(store(deps)).rejects.toThrow("An id was given twice.");
  });
});
