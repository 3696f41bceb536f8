import { describe, expect, test } from "@jest/globals";
import {
  customerCipher,
  newCustomerKey,
  resealCustomerKey,
} from "../../../services/profile/change/customer-key.ts";
import { openPerson, peopleTools, sealPerson } from "../../../services/profile/change/seal-people.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aPersonInput } from "../../support/builders/stored-profile.ts";

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const before = createFieldCipher([key("k1", 1)]);
const during = createFieldCipher([key("k2", 2), key("k1", 1)]);
const after = createFieldCipher([key("k2", 2)]);
const where = { customerId: "c1", uboId: "u1" };
const input = aPersonInput({ taxIdentificationNumber: "TAX-1" });
const opened = { ...input, uboId: "u1" };

describe("the key of a customer", () => {
  const { sealedKey, cipher } = newCustomerKey(before, "c1");
  const person = sealPerson(cipher, input, where, "");

  test("seals its numbers, and only itself is sealed by the field key", () => {
    expect(person.sealedNumbers).toMatch(/^v1\.@customer\./);
    expect(sealedKey).toMatch(/^v1\.k1\./);
    expect(openPerson(customerCipher(before, { _id: "c1", sealedKey }), person, "c1")).toEqual(opened);
  });

  test("differs for every customer, and opens for no other", () => {
    const other = newCustomerKey(before, "c1");
    expect(() => openPerson(other.cipher, person, "c1")).toThrow();
    expect(() => customerCipher(before, { _id: "c2", sealedKey })).toThrow();
  });

  test("the tools of an update seal and open under it, for this person of this customer alone", () => {
    const now = () => Date.parse("2026-01-02T00:00:00Z");
    const deps = { cipher: before, clock: { now } };
    const tools = peopleTools(deps, { _id: "c1", sealedKey } as Profile, "at");
    const sealed = tools.seal(input, "u1");
    expect(sealed).toMatchObject({ uboId: "u1", addedAt: "at", removedAt: null });
    expect([tools.open(sealed), openPerson(cipher, sealed, "c1")]).toEqual([opened, opened]);
    expect(tools.newId()).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("moved to the newest field key: the numbers stay as they are and open without the old one", () => {
    const moved = resealCustomerKey(during, "c1", sealedKey);
    expect(moved).toMatch(/^v1\.k2\./);
    expect(openPerson(customerCipher(after, { _id: "c1", sealedKey: moved }), person, "c1")).toEqual(opened);
    expect(() => customerCipher(after, { _id: "c1", sealedKey })).toThrow("No field key with id k1");
  });

  test("gone: the field key alone does not open the numbers", () => {
    expect(() => openPerson(before, person, "c1")).toThrow();
  });

  test("numbers do not open for another person of the customer, nor for the same person of another", () => {
    const { sealedNumbers } = sealPerson(cipher, input, { ...where, uboId: "u2" }, "");
    expect(() => openPerson(cipher, { ...person, sealedNumbers }, "c1")).toThrow();
    expect(() => openPerson(cipher, person, "c2")).toThrow();
  });
});
