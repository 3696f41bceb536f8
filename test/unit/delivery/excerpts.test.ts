import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import type { ExcerptKey } from "../../../services/delivery/excerpt/excerpt-key.model.ts";
import { createExcerpts } from "../../../services/delivery/excerpt/excerpts.ts";
import { createFieldCipher, keyIdOf } from "../../../shared/sealing/field-cipher.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = Date.parse("2030-03-10T12:00:00.000Z");
const TODAY = new Date(NOW - 1);
const fieldCipher = (id: string) => createFieldCipher([{ id, key: Buffer.alloc(32, id) }]);

function aProcess(stored = new Map<string, ExcerptKey>(), keyId = "k1") {
  const clock = { at: NOW, now: () => clock.at };
  const logger = pino({ level: "silent" });
  const warn = jest.spyOn(logger, "warn");
  const error = jest.spyOn(logger, "error");
  const findOrInsert = jest.fn(async (key: ExcerptKey): Promise<ExcerptKey> => {
    const known = stored.get(key._id) ?? key;
    stored.set(key._id, known);
    return known;
  });
  const find = async (days: readonly string[]) =>
    [...stored.values()].filter(({ _id }) => days.includes(_id));
  const keys = { findOrInsert, find };
  const { seal, open } = createExcerpts({ keys, cipher: fieldCipher(keyId), clock, logger });
  return {
    ...{ clock, stored, findOrInsert, warn, error },
    seal: (excerpt: string | null, occurredAt = TODAY, attemptNo = 1) =>
      seal({ deliveryId: "d", attemptNo, occurredAt }, excerpt),
    async open(sealedExcerpt: string | null | undefined, { deliveryId = "d", attemptNo = 1 } = {}) {
      const attempt = { attemptNo, sealedExcerpt, statusCode: 200, errorKind: null, durationMs: 1 };
      return (await open(deliveryId, [{ ...attempt, sentAt: new Date(NOW) } as never]))[0];
    },
  };
}

test("many excerpts of a day: one question for the key, and each opens", async () => {
  const one = aProcess();
  const sealed = await Promise.all(["a", "b", "c"].map((text) => one.seal(text)));
  sealed.push(await one.seal("d"));
  expect(await Promise.all(sealed.map((each) => one.open(each)))).toEqual(["a", "b", "c", "d"]);
  expect(one.findOrInsert).toHaveBeenCalledTimes(1);
});

test("an excerpt opens only at its own attempt of its own delivery", async () => {
  const one = aProcess();
  const sealed = await one.seal("text");
  expect(await one.open(sealed, { attemptNo: 2 })).toBeNull();
  expect(await one.open(sealed, { deliveryId: "other" })).toBeNull();
  expect(one.error).toHaveBeenCalledTimes(2);
});

test.each([[null], [""]])("no answer (%j): nothing is sealed, and no key is asked for", async (excerpt) => {
  const one = aProcess();
  expect(await one.seal(excerpt)).toBe(excerpt);
  expect(await one.open(excerpt)).toBe(excerpt);
  expect(one.findOrInsert).not.toHaveBeenCalled();
});

test("the key is that of the day of the event, and expires 30 days after that day ends", async () => {
  const one = aProcess();
  const sealed = await one.seal("text", new Date("2030-03-02T23:59:59.999Z"));
  expect(keyIdOf(String(sealed))).toBe("2030-03-02");
  expect(one.stored.get("2030-03-02")?.expiresAt).toEqual(new Date("2030-04-02T00:00:00.000Z"));
});

test("an event from a clock that is ahead: the key of today seals", async () => {
  const one = aProcess();
  expect(keyIdOf(String(await one.seal("text", new Date(NOW + 90 * DAY_MS))))).toBe("2030-03-10");
});

test("an event that has expired: no excerpt, and no key is made", async () => {
  const one = aProcess();
  expect(await one.seal("text", new Date(NOW - 32 * DAY_MS))).toBeNull();
  expect(one.stored.size).toBe(0);
});

test("a key that MongoDB has not yet removed after its end: neither seals nor opens", async () => {
  const one = aProcess();
  const sealed = await one.seal("text");
  one.clock.at = Date.parse("2030-04-09T00:00:00.000Z");
  expect(await one.open(sealed)).toBe("text");
  one.clock.at = Date.parse("2030-04-10T00:00:00.000Z") - 1;
  expect(await one.seal("text")).not.toBeNull();
  one.clock.at += 1;
  expect([await one.open(sealed), await one.seal("text")]).toEqual([null, null]);
});

test("the key is not available: no excerpt rather than clear text, and the next question after 5 seconds", async () => {
  const one = aProcess();
  one.findOrInsert.mockRejectedValueOnce(new Error("database away"));
  expect([await one.seal("a"), await one.seal("b")]).toEqual([null, null]);
  expect(one.findOrInsert).toHaveBeenCalledTimes(1);
  expect(one.warn).toHaveBeenCalledTimes(1);
  one.clock.at += 5_001;
  expect(await one.open(await one.seal("c"))).toBe("c");
});

test("a key under a field key that the process does not have: no excerpt is stored, and none is shown", async () => {
  const first = aProcess();
  const sealed = await first.seal("text");
  const other = aProcess(first.stored, "k2");
  expect([await other.seal("text"), await other.open(sealed)]).toEqual([null, null]);
});
