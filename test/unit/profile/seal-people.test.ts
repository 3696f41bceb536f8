import { describe, expect, test } from "@jest/globals";
import { openPerson, sealPerson } from "../../../services/profile/change/seal-people.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aPersonInput } from "../../support/builders/stored-profile.ts";

const cipher = createFieldCipher([{ id: "k1", key: Buffer.alloc(32, 1) }]);
const AT = "2026-03-01T12:00:00.000Z";
const person = (customerId: string, uboId: string, taxIdentificationNumber: string) =>
  sealPerson(cipher, aPersonInput({ taxIdentificationNumber }), { customerId, uboId }, AT);

describe("the sealed numbers of a person", () => {
  test("open for that person", () => {
    const opened = openPerson(cipher, person("c1", "u1", "TAX-1"), "c1");
    expect(opened).toEqual(aPersonInput({ uboId: "u1", taxIdentificationNumber: "TAX-1" }));
  });

  test("do not open for another person of the same customer", () => {
    const [one, two] = [person("c1", "u1", "TAX-1"), person("c1", "u2", "TAX-2")];
    expect(() => openPerson(cipher, { ...two, sealedNumbers: one.sealedNumbers }, "c1")).toThrow();
  });

  test("do not open for the same person of another customer", () => {
    expect(() => openPerson(cipher, person("c1", "u1", "TAX-1"), "c2")).toThrow();
  });
});
