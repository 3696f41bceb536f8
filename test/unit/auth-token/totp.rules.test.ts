import { describe, expect, test } from "@jest/globals";
import { base32, codeAt, otpauthUri, stepOfCode } from "../../../services/auth-token/session/totp.rules.ts";

const SECRET = Buffer.from("12345678901234567890");
const SECOND = 1_000;

describe("codeAt", () => {
  // RFC 6238, appendix B, SHA-1, eight digits.
  test.each([
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ])("at %i s of the RFC: %s", (seconds, code) => {
    expect(codeAt(SECRET, seconds * SECOND, 8)).toBe(code);
    expect(codeAt(SECRET, seconds * SECOND)).toBe(code.slice(2));
  });
});

describe("stepOfCode", () => {
  const now = 1_111_111_110 * SECOND;
  const step = Math.floor(now / 30_000);
  const at = (seconds: number) => codeAt(SECRET, now + seconds * SECOND);

  test.each([
    ["this step", 0, 0],
    ["the step before", -30, -1],
    ["the next step", 30, 1],
  ])("a code of %s: counts", (_, seconds, difference) =>
    expect(stepOfCode(SECRET, at(seconds), now, 0)).toBe(step + difference),
  );

  test.each([0, 29_999])("%i ms into its step: the code counts", (into) => {
    expect(stepOfCode(SECRET, at(0), step * 30_000 + into, 0)).toBe(step);
  });

  test.each([
    ["two steps old", at(-60)],
    ["two steps early", at(60)],
    ["no code", ""],
    ["longer", `${at(0)}0`],
  ])("%s: counts for nothing", (_, code) => expect(stepOfCode(SECRET, code, now, 0)).toBeNull());

  test("a step that was used, and every older one: count for nothing", () => {
    expect(stepOfCode(SECRET, at(0), now, step)).toBeNull();
    expect(stepOfCode(SECRET, at(-30), now, step)).toBeNull();
    expect(stepOfCode(SECRET, at(30), now, step)).toBe(step + 1);
  });
});

describe("base32", () => {
  // RFC 4648, section 10, without padding.
  test.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("%j: %j", (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded));
});

test("otpauthUri: names issuer and account, escaped", () => {
  expect(otpauthUri("Partner Onboarding", "a+b@c.example", "ABC")).toBe(
    "otpauth://totp/Partner%20Onboarding%3Aa%2Bb%40c.example?secret=ABC&issuer=Partner%20Onboarding",
  );
});
