import { describe, expect, test } from "@jest/globals";
import { keyPlan, PUBLISHED_BEFORE_MS } from "../../../services/auth-token/token/signing-key.rules.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const key = (ordinal: number, createdAt: number, signsFrom = createdAt) => ({
  _id: `k${ordinal}`,
  ordinal,
  x: "",
  sealedPrivateKey: "",
  createdAt: new Date(createdAt),
  signsFrom: new Date(signsFrom),
});
const ids = (keys: { _id: string }[]) => keys.map(({ _id }) => _id);

describe("keyPlan", () => {
  test("with no key: one is due at once", () => {
    expect(keyPlan([], NOW, 30)).toEqual({ signing: null, published: [], removable: [], nextSignsFrom: NOW });
  });

  test("with a young key: it signs, nothing is due", () => {
    const plan = keyPlan([key(1, NOW - DAY)], NOW, 30);
    expect([plan.signing?._id, ids(plan.published), plan.nextSignsFrom]).toEqual(["k1", ["k1"], null]);
  });

  test("with an old key: the next is due, to sign after it was published for a while", () => {
    expect(keyPlan([key(1, NOW - 30 * DAY)], NOW, 30).nextSignsFrom).toBe(NOW + PUBLISHED_BEFORE_MS);
  });

  test("a published key does not sign before its time", () => {
    const keys = [key(2, NOW, NOW + PUBLISHED_BEFORE_MS), key(1, NOW - 30 * DAY)];
    expect(keyPlan(keys, NOW, 30).signing?._id).toBe("k1");
    expect(keyPlan(keys, NOW + PUBLISHED_BEFORE_MS, 30).signing?._id).toBe("k2");
  });

  test("the one before stays published for the life of its last token, then it can go", () => {
    const keys = [key(2, NOW), key(1, NOW - DAY)];
    expect(ids(keyPlan(keys, NOW + 300_000, 30).published)).toEqual(["k2", "k1"]);
    const later = keyPlan(keys, NOW + 360_000, 30);
    expect([ids(later.published), later.removable]).toEqual([["k2"], ["k1"]]);
  });

  test("a clock that went back: the oldest key signs, and a key that signs is never removed", () => {
    const keys = [key(2, NOW + DAY), key(1, NOW + 2 * DAY)];
    const plan = keyPlan(keys, NOW, 30);
    expect([plan.signing?._id, plan.removable]).toEqual(["k1", []]);
  });
});
