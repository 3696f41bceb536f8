/** The table of the Idempotency-Key, against a model: the first answer again for a day, another body refused. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createOnce } from "../../../services/profile/change/create-profile.ts";
import {
  DuplicateCustomer,
  DuplicateKey,
  DuplicateReference,
} from "../../../services/profile/record/profile.repository.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { orderedId } from "../../../shared/ids.ts";
import { createKeysInUse } from "../../../shared/keys-in-use.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { seedCountries } from "../../support/builders/stored-profile.ts";

const DAY_MS = 86_400_000;
const countries = seedCountries();
const origin = {
  requestId: "r",
  correlationId: "c",
  traceparent: null,
  actor: { kind: "partner" as const, id: "client" },
};

/** As the database behaves: unique ids, references and keys. */
function setUp() {
  let nowMs = Date.now();
  const stored = new Map<string, StoredProfile>();
  let writes = 0;
  const steps: string[] = [];
  const fieldCipher = createFieldCipher([{ id: "k1", key: Buffer.alloc(32, 7) }]);
  const all = () => [...stored.values()];
  const withKey = (partnerId: string, key: string) =>
    all().find((one) => one.partnerId === partnerId && one.keptAnswers?.some((kept) => kept.key === key));
  const withReference = (partnerId: string, reference: string) =>
    all().find((one) => one.partnerId === partnerId && one.partnerCustomerId === reference);
  const deps = {
    profiles: {
      isReachable: () => true,
      async insert(profile: StoredProfile) {
        writes += 1;
        steps.push("store");
        const [kept] = profile.keptAnswers ?? [];
        if (stored.has(profile._id)) throw new DuplicateCustomer();
        if (withReference(profile.partnerId, profile.partnerCustomerId)) throw new DuplicateReference();
        if (kept && withKey(profile.partnerId, kept.key)) throw new DuplicateKey();
        stored.set(profile._id, structuredClone(profile));
      },
      findById: async (id: string) => stored.get(id) ?? null,
      idOfReference: async (partnerId: string, reference: string) =>
        withReference(partnerId, reference)?._id ?? null,
      findByKey: async (partnerId: string, key: string) => withKey(partnerId, key) ?? null,
      async forgetKey({ _id: id }: { _id: string }, key: string) {
        const profile = stored.get(id);
        if (profile) profile.keptAnswers = profile.keptAnswers?.filter((kept) => kept.key !== key) ?? [];
      },
    },
    erasures: { isKeySpent: async () => false },
    countries: {
      directory() {
        steps.push("judge");
        return countries;
      },
    },
    cipher: {
      ...fieldCipher,
      seal(...given: Parameters<typeof fieldCipher.seal>) {
        steps.push("seal");
        return fieldCipher.seal(...given);
      },
    },
    clock: { now: () => nowMs },
    outbox: { publish: () => undefined, confirm: async () => 0 },
  } as unknown as Parameters<typeof createOnce>[0];
  type Wish = { partnerId?: string; key?: string | null; body: unknown; callId?: string | null };
  const create = ({ partnerId = "p1", key = "k", body, callId = null }: Wish) =>
    createOnce(deps, {
      partnerId,
      idempotencyKey: key,
      body,
      isStrict: false,
      isTest: false,
      callId,
      origin,
    }).then(
      ({ value, isReplay = false }) => ({ customerId: value.customerId, isReplay, value }),
      (error: { type: string }) => ({ refused: error.type }),
    );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { create, stored, steps, pass, now: () => nowMs, writes: () => writes };
}

const bodyOf = (reference: string, companyName = "Harbour Foods Limited") =>
  aProfile({ partnerCustomerId: reference, companyName, businessPersonList: [] });

describe("createOnce", () => {
  test("any requests in any order are answered as the table says", async () => {
    const step = fc.record({
      partnerId: fc.constantFrom("p1", "p2"),
      key: fc.constantFrom("k1", "k2", null),
      reference: fc.constantFrom("a", "b", "c"),
      isValid: fc.boolean(),
      waitMs: fc.constantFrom(0, 0, 0, DAY_MS - 1, DAY_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const { create, stored, pass, now } = setUp();
        const keys = new Map<string, { body: string; customerId: string; at: number }>();
        const references = new Set<string>();
        for (const { partnerId, key, reference, isValid, waitMs } of steps) {
          pass(waitMs);
          const body = bodyOf(reference, isValid ? undefined : "");
          const first = keys.get(`${partnerId} ${key}`);
          const isKept = key !== null && first !== undefined && now() - first.at < DAY_MS;
          const answer = await create({ partnerId, key, body });
          if (isKept && first.body === JSON.stringify(body))
            expect(answer).toMatchObject({ customerId: first.customerId, isReplay: true });
          else if (isKept) expect(answer).toEqual({ refused: "Idempotency.KeyReused" });
          else if (!isValid) expect(answer).toEqual({ refused: "Validation" });
          else if (references.has(`${partnerId} ${reference}`))
            expect(answer).toEqual({ refused: "Customer.PartnerCustomerIdDuplicate" });
          else {
            expect(answer).toMatchObject({ customerId: expect.any(String), isReplay: false });
            references.add(`${partnerId} ${reference}`);
            const { customerId } = answer as { customerId: string };
            if (key) keys.set(`${partnerId} ${key}`, { body: JSON.stringify(body), customerId, at: now() });
          }
          expect(stored.size).toBe(references.size);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("creates that come together: take each step together", async () => {
    const { create, steps } = setUp();
    await Promise.all(["a", "b", "c"].map((reference) => create({ key: null, body: bodyOf(reference) })));
    const each = (step: string) => [step, step, step];
    expect(steps).toEqual([...each("judge"), ...each("seal"), ...each("store")]);
  });

  test("the first answer: as it was, however the customer changed since", async () => {
    const { create, stored } = setUp();
    const body = aProfile();
    const first = await create({ body });
    for (const profile of stored.values()) {
      profile.verificationStatus = "Approved";
      profile.people = [];
    }
    const again = await create({ body });
    expect(again).toEqual({ ...first, isReplay: true });
  });

  test("a call repeated between our processes: its own customer, not a replay", async () => {
    const { create, now } = setUp();
    const callId = orderedId(now());
    const first = await create({ body: bodyOf("a"), callId });
    expect(await create({ body: bodyOf("a"), callId })).toEqual(first);
  });

  test("a create with a key: one write", async () => {
    const { create, writes } = setUp();
    await create({ body: bodyOf("a") });
    expect(writes()).toBe(1);
  });

  test("the stored fingerprint: nothing that could be tried against a guess", async () => {
    const { create, stored } = setUp();
    await create({ body: bodyOf("a") });
    await create({ body: bodyOf("a"), partnerId: "p2" });
    const sealed = [...stored.values()].map(({ keptAnswers }) => keptAnswers?.[0]?.sealedFingerprint);
    expect(new Set(sealed).size).toBe(2);
  });
});

describe("keys in hand", () => {
  const request = { partnerId: "p1", idempotencyKey: "k", callId: "c1" };

  test("the same key meanwhile: 409; afterwards, of another partner, or without a key: is served", async () => {
    const inHand = createKeysInUse();
    const gate = Promise.withResolvers<string>();
    const first = inHand(request, () => gate.promise);
    const done = async () => "done";
    await expect(inHand({ ...request, callId: "c2" }, done)).rejects.toMatchObject({
      type: "Idempotency.InProgress",
      code: 409,
    });
    await expect(inHand({ ...request, callId: null }, done)).rejects.toMatchObject({ code: 409 });
    expect(await inHand({ ...request, partnerId: "p2", callId: "c2" }, done)).toBe("done");
    expect(await inHand({ ...request, idempotencyKey: null }, done)).toBe("done");
    gate.resolve("first");
    expect(await first).toBe("first");
    expect(await inHand({ ...request, callId: "c2" }, done)).toBe("done");
  });

  test("the same call once more: is served, because the database recognises it", async () => {
    const inHand = createKeysInUse();
    const gate = Promise.withResolvers<string>();
    const first = inHand(request, () => gate.promise);
    expect(await inHand(request, async () => "again")).toBe("again");
    gate.resolve("first");
    await first;
  });

  test("work that fails: frees the key", async () => {
    const inHand = createKeysInUse();
    await expect(inHand(request, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await inHand({ ...request, callId: "c2" }, async () => "done")).toBe("done");
  });
});
