import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import {
  fingerprintOf,
  isExpired,
  judgeKey,
  keyUnderWay,
  REPLAYED,
} from "../../../shared/idempotency.rules.ts";

const AT = "2026-03-01T12:00:00.000Z";
const DAY_MS = 86_400_000;
const after = (ms: number) => Date.parse(AT) + ms;

test("a key is kept for a day", () => {
  expect([isExpired(AT, after(DAY_MS - 1)), isExpired(AT, after(DAY_MS))]).toEqual([false, true]);
});

test("the same request gets its first answer, another is refused until the key has expired", () => {
  const first = { at: AT, fingerprint: "f" };
  expect(judgeKey(first, "f", after(0))).toBe("replay");
  expect(() => judgeKey(first, "g", after(0))).toThrow(
    expect.objectContaining({ type: "Idempotency.KeyReused" }),
  );
  for (const fingerprint of ["f", "g"]) expect(judgeKey(first, fingerprint, after(DAY_MS))).toBe("expired");
});

test("a fingerprint is of what is asked, in whatever order, and the same in every release", () => {
  const asked = '["create",{"a":"x","b":[1,{"c":null,"d":2}]}]';
  const kept = createHash("sha256").update(asked).digest("base64url");
  expect(fingerprintOf("create", { b: [1, { d: 2, c: null }], a: "x" })).toBe(kept);
  expect(fingerprintOf("create", { a: "x", b: [1, { c: null, d: 2 }] })).toBe(kept);
  expect(fingerprintOf("create", { a: "x", b: [{ c: null, d: 2 }, 1] })).not.toBe(kept);
});

test("callers are told when to ask again, and that an answer is the first one", () => {
  expect(keyUnderWay()).toMatchObject({ type: "Idempotency.InProgress", data: { retryAfterSeconds: 1 } });
  expect(REPLAYED).toEqual({ "Idempotent-Replayed": "true" });
});
