import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { CHECKS } from "../../../services/profile/country/check-digits.rules.ts";
import type { CheckName } from "../../../shared/contract/vocabularies.ts";

/** Numbers that public documents give as examples of a valid number, and some worked out by hand. */
const VALID: [CheckName, string][] = [
  ["luhn", "8001015009087"],
  ["luhn", "4111 1111 1111 1111"],
  ["luhn", "79927398713"],
  ["luhn", "59"],
  ["verhoeff", "234123412346"],
  ["verhoeff", "2341 2341 2346"],
  ["verhoeff", "2363"],
  ["verhoeff", "123451"],
  ["verhoeff", "84736430954837284567892"],
  ["zwe", "50-2001148W50"],
  ["zwe", "08-2047823-Q-29"],
  ["esp", "12345678Z"],
  ["esp", "X1234567L"],
  ["esp", "Z8078221M"],
  ["mod97Bel", "85.07.30-033.28"],
  ["mod97Bel", "17073003384"],
  ["prt", "000000000ZZ4"],
  ["prt", "130102419ZY0"],
  ["prt", "555555555ZZ9"],
  ["pesel", "44051401359"],
  ["pesel", "44051400020"],
  ["pesel", "44151459355"],
  ["sgp", "S1234567D"],
  ["sgp", "T1234567J"],
  ["sgp", "F1234567N"],
  ["sgp", "G1234567X"],
  ["sgp", "M1234567K"],
  ["sgp", "M1234003J"],
  ["hkg", "A123456(3)"],
  ["hkg", "G123456(A)"],
  ["hkg", "AB987654(3)"],
  ["hkg", "A120003(0)"],
  ["chn", "11010519491231002X"],
  ["chn", "440524188001010014"],
  ["chn", "110105194912313167"],
  ["cpf", "529.982.247-25"],
  ["tur", "10000000146"],
  ["tur", "12345678950"],
  ["tur", "23456789138"],
  ["tur", "19090909018"],
];

describe("a check digit", () => {
  test.each(VALID)("%s accepts %s", (name, value) => {
    expect(CHECKS[name](value)).toBe(true);
  });

  test.each(VALID)("%s refuses %s with any one digit changed", (name, value) => {
    // The check letter of Zimbabwe says nothing about the district behind it.
    const checked = name === "zwe" ? value.slice(0, -3) : value;
    const digits = [...checked].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
    for (const at of digits) {
      const other = String((Number(value[at]) + 1) % 10);
      expect([at, CHECKS[name](value.slice(0, at) + other + value.slice(at + 1))]).toEqual([at, false]);
    }
  });

  test.each([
    ["A010203012345", "9"],
    ["A010203012341", "0"],
  ])("mus: %s is followed by %s", (body, last) => {
    expect([..."0123456789ABCDEFGH"].filter((check) => CHECKS.mus(body + check))).toEqual([last]);
  });

  test("verhoeff: one of ten last digits fits, and no exchange of peers passes", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,20}$/), (body) => {
        const fitting = [..."0123456789"].map((last) => body + last).filter((each) => CHECKS.verhoeff(each));
        expect(fitting).toHaveLength(1);
        const [number = ""] = fitting;
        for (let at = 0; at + 1 < number.length; at += 1) {
          const [left, right] = [number.charAt(at), number.charAt(at + 1)];
          const swapped = number.slice(0, at) + right + left + number.slice(at + 2);
          expect([swapped, CHECKS.verhoeff(swapped)]).toEqual([swapped, left === right]);
        }
      }),
    );
  });

  test("chn refuses a day that does not exist, whatever the last digit", () => {
    const fitting = [..."0123456789X"].filter((check) => CHECKS.chn(`11010519490230002${check}`));
    expect(fitting).toEqual([]);
  });

  test("chn refuses a number without its last digit, also when the others add up to nothing", () => {
    expect(CHECKS.chn("110105194912310021".slice(0, 17))).toBe(false);
    const bare = Array.from(
      { length: 1_000 },
      (_, serial) => `11010519491231${String(serial).padStart(3, "0")}`,
    );
    expect(bare.filter((number) => CHECKS.chn(number))).toEqual([]);
    expect(
      bare.every((number) => [..."0123456789X"].filter((last) => CHECKS.chn(number + last)).length === 1),
    ).toBe(true);
  });

  test("zwe refuses what is no such number", () => {
    expect(["", "nonsense", "5-2001148W50", "50-2001148"].filter((value) => CHECKS.zwe(value))).toEqual([]);
  });

  test("sgp judges an unknown letter like the letter of a foreigner", () => {
    expect([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((last) => CHECKS.sgp(`A1234567${last}`))).toEqual(["N"]);
  });

  test("cpf: a rest of ten is written as zero", () => {
    expect(CHECKS.cpf("529.982.114-02")).toBe(true);
  });

  test("cpf refuses eleven equal digits although they add up", () => {
    expect(CHECKS.cpf("111.111.111-11")).toBe(false);
  });
});
