/** Check digits of identity numbers. Each check takes the number as it was given. */
import type { CheckName } from "../../../shared/contract/vocabularies.ts";
import { isCalendarDay } from "../record/text.rules.ts";

export const CHECKS: Readonly<Record<CheckName, (value: string) => boolean>> = {
  luhn: (value) => luhn(digits(value)),
  verhoeff: (value) => verhoeff(digits(value)),
  zwe: zimbabwe,
  mus: mauritius,
  esp: spain,
  mod97Bel: belgium,
  prt: (value) => luhn(alphanumeric(value)),
  pesel: (value) =>
    weighted(digits(value).slice(0, 10), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3], (sum) => (10 - (sum % 10)) % 10) ===
    digits(value)[10],
  sgp: singapore,
  hkg: hongKong,
  chn: china,
  cpf: brazil,
  tur: turkey,
};

/** Valid examples for patterns where trying finds none. They are samples in public use, or invented. */
export const SAMPLES: Partial<Record<CheckName, readonly string[]>> = {
  luhn: ["8001015009087", "784198012345678"],
  mod97Bel: ["85073003328"],
  chn: ["11010519491231002X"],
  cpf: ["11144477735"],
  tur: ["10000000146"],
};

const digits = (value: string): number[] => [...value.replaceAll(/\D/g, "")].map(Number);

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A letter counts from A, which is 10. A space has the value 36. */
const alphanumeric = (value: string): number[] => [...value].map((each) => `${ALPHABET} `.indexOf(each));

function weighted(values: readonly number[], weights: readonly number[], finish: (sum: number) => number) {
  return finish(values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0));
}

function luhn(values: readonly number[]): boolean {
  const sum = values.toReversed().reduce((total, digit, index) => {
    if (index % 2 === 0) return total + digit;
    return total + (digit * 2 > 9 ? digit * 2 - 9 : digit * 2);
  }, 0);
  return sum % 10 === 0;
}

/** Two symmetries of a pentagon, one after the other: 0 to 4 turn it, 5 to 9 also flip it (the dihedral group D5). */
const combined = (a: number, b: number): number =>
  ((a < 5 ? a + b : a - b + 10) % 5) + (a < 5 === b < 5 ? 0 : 5);

/** Applied once per position. */
const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;

function verhoeff(values: readonly number[]): boolean {
  const permuted = (digit: number, times: number): number =>
    times === 0 ? digit : permuted(Number(PERMUTATION[digit]), times - 1);
  const rest = values
    .toReversed()
    .reduce((state, digit, index) => combined(state, permuted(digit, index % 8)), 0);
  return rest === 0;
}

/** Registry and serial digits modulo 23 give the letter. */
function zimbabwe(value: string): boolean {
  const [, number = "", letter = ""] = /^(\d{2}-?\d{6,7})-?([A-Z])/.exec(value) ?? [];
  const rest = Number(number.replace("-", "")) % 23;
  return "ZABCDEFGHJKLMNPQRSTVWXY"[rest] === letter;
}

function mauritius(value: string): boolean {
  const weights = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
  return ALPHABET[weighted(alphanumeric(value), weights, (sum) => (17 - (sum % 17)) % 17)] === value[13];
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

/** DNI, and NIE whose first letter replaces a digit. */
function spain(value: string): boolean {
  const number = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return DNI_LETTERS[Number(number) % 23] === value.at(-1);
}

/** People born from 2000 on have a 2 before the number. */
function belgium(value: string): boolean {
  const number = digits(value).join("");
  const check = Number(number.slice(9));
  return ["", "2"].some((century) => 97 - (Number(century + number.slice(0, 9)) % 97) === check);
}

function singapore(value: string): boolean {
  const offset = { T: 4, G: 4, M: 3 }[value.charAt(0)] ?? 0;
  const letters = { S: "JZIHGFEDCBA", T: "JZIHGFEDCBA", M: "XWUTRQPNJLK" }[value.charAt(0)] ?? "XWUTRQPNMLK";
  const rest = weighted(digits(value), [2, 7, 6, 5, 4, 3, 2], (sum) => (sum + offset) % 11);
  return letters[rest] === value.at(-1);
}

/** A single letter has a space in front of it. */
function hongKong(value: string): boolean {
  const bare = value.replaceAll(/[()]/g, "").padStart(9, " ");
  const weights = [9, 8, 7, 6, 5, 4, 3, 2];
  return ALPHABET[weighted(alphanumeric(bare), weights, (sum) => (11 - (sum % 11)) % 11)] === bare[8];
}

/** ISO 7064 MOD 11-2, and a birth date that exists. */
function china(value: string): boolean {
  if (!isCalendarDay(`${value.slice(6, 10)}-${value.slice(10, 12)}-${value.slice(12, 14)}`)) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  return "10X98765432"[weighted(digits(value.slice(0, 17)), weights, (sum) => sum % 11)] === value[17];
}

function brazil(value: string): boolean {
  const all = digits(value);
  if (new Set(all).size === 1) return false;
  const check = (length: number) =>
    weighted(
      all.slice(0, length),
      Array.from({ length }, (_, index) => length + 1 - index),
      (sum) => ((sum * 10) % 11) % 10,
    );
  return check(9) === all[9] && check(10) === all[10];
}

function turkey(value: string): boolean {
  const all = digits(value);
  const odd = weighted(all, [1, 0, 1, 0, 1, 0, 1, 0, 1], (sum) => sum);
  const even = weighted(all, [0, 1, 0, 1, 0, 1, 0, 1], (sum) => sum);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  const eleventh = all.slice(0, 10).reduce((sum, digit) => sum + digit, 0) % 10;
  return all[9] === tenth && all[10] === eleventh;
}
