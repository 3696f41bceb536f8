import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { FieldKey } from "../../../shared/config/config.ts";
import { createFieldCipher, type FieldPlace } from "../../../shared/sealing/field-cipher.ts";
import { anyText } from "../../support/builders/any-text.ts";

const key = (id: string, fill: number): FieldKey => ({ id, key: Buffer.alloc(32, fill) });
const place: FieldPlace = { collection: "profiles", recordId: "r1", field: "identityValue" };
const cipher = createFieldCipher([key("k1", 1)]);

describe("field cipher", () => {
  test("any text comes back as it was, and is not to be seen in what is stored", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const whole = text.toWellFormed();
        const sealed = cipher.seal(whole, place);
        expect(cipher.open(sealed, place)).toBe(whole);
        expect(whole.length < 8 || !sealed.includes(whole)).toBe(true);
      }),
    );
  });

  test("the same text sealed twice looks different", () => {
    expect(cipher.seal("A1234567", place)).not.toBe(cipher.seal("A1234567", place));
  });

  test("a value that an earlier release sealed: opens", () => {
    const sealed = "v1.k1.axHwV97brtDzPLd3OekfieW-4GQAAlGuXtbbl_sCHRK7Zesy";
    expect(cipher.open(sealed, place)).toBe("A1234567");
  });

  test("says format and key id, and nothing else in the clear", () => {
    expect(cipher.seal("A1234567", place)).toMatch(/^v1\.k1\.[A-Za-z0-9_-]{40,}$/);
  });

  test.each<[string, FieldPlace]>([
    ["record", { ...place, recordId: "r2" }],
    ["field", { ...place, field: "taxIdentificationNumber" }],
    ["collection", { ...place, collection: "documents" }],
    ["split of names", { collection: "profile", recordId: "sr1", field: "identityValue" }],
  ])("copied to another %s: does not open", (_, other) => {
    expect(() => cipher.open(cipher.seal("A1234567", place), other)).toThrow();
  });

  test("with any single bit changed: does not open", () => {
    const sealed = cipher.seal("A1234567", place);
    const [format, id, encoded = ""] = sealed.split(".");
    const bytes = Buffer.from(encoded, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.open([format, id, changed.toString("base64url")].join("."), place)).toThrow();
    }
  });

  test.each([
    [""],
    ["A1234567"],
    ["v1.k1"],
    ["v1.k1."],
    ["v1.k1.AAAA"],
    ["v2.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    [`${cipher.seal("x", place)}.more`],
    [cipher.seal("A1234567", place).slice(0, -6)],
  ])("damaged (%s): does not open", (sealed) => {
    expect(() => cipher.open(sealed, place)).toThrow();
  });

  test("an error names the key id at most, never the text or the key", () => {
    const sealed = cipher.seal("A1234567", place);
    const other = createFieldCipher([key("k2", 2)]);
    expect(() => other.open(sealed, place)).toThrow("No field key with id k1 is configured.");
  });

  test("a key id that is a name of Object.prototype: no key", () => {
    const sealed = cipher.seal("x", place).replace(".k1.", ".constructor.");
    expect(() => cipher.open(sealed, place)).toThrow("No field key with id constructor");
  });

  test("the ciphertext of one key under the id of another: does not open", () => {
    const both = createFieldCipher([key("k1", 1), key("k2", 1)]);
    expect(() => both.open(both.seal("x", place).replace(".k1.", ".k2."), place)).toThrow();
  });

  test("without a key: cannot be made", () => {
    expect(() => createFieldCipher([])).toThrow("needs at least one key");
  });
});

test("rotation of the key: the newest seals, older ones open and are stale, removed ones do not open", () => {
  const before = createFieldCipher([key("old", 1)]);
  const during = createFieldCipher([key("new", 2), key("old", 1)]);
  const after = createFieldCipher([key("new", 2)]);
  const [old, newer] = [before.seal("A1234567", place), during.seal("A1234567", place)];
  expect(newer).toMatch(/^v1\.new\./);
  expect([old, newer].map((sealed) => during.open(sealed, place))).toEqual(["A1234567", "A1234567"]);
  expect([old, newer].map(during.isStale)).toEqual([true, false]);
  expect(after.open(newer, place)).toBe("A1234567");
  expect(() => after.open(old, place)).toThrow("No field key with id old");
});
