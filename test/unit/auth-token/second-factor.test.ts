import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import {
  needsSecondFactor,
  sealedSecondFactors,
} from "../../../services/auth-token/session/second-factor.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";

const aKey = (id: string) => ({ id, key: randomBytes(32) });

describe("sealedSecondFactors", () => {
  const [older, newer] = [aKey("k1"), aKey("k2")];
  const place = { collection: "users", recordId: "u1", field: "secondFactor" };
  const seal = (key: typeof older, text: string) => createFieldCipher([key]).seal(text, place);
  const records = sealedSecondFactors({} as never, createFieldCipher([newer, older]));
  const aUser = (sealed: string, pendingSecondFactor: string | null = null) =>
    ({ _id: "u1", secondFactor: { sealed }, pendingSecondFactor }) as never;

  test("secrets under an older key are resealed, also during a set-up, and the older key can be removed", () => {
    const user = aUser(seal(older, "the secret"), seal(older, "the next"));
    expect(records.sealedIn(user)).toHaveLength(2);
    const { before, after } = records.move(user) ?? { before: {}, after: {} };
    expect(Object.keys(before)).toEqual(["secondFactor.sealed", "pendingSecondFactor"]);
    const opened = Object.values(after).map((sealed) => createFieldCipher([newer]).open(sealed, place));
    expect(opened).toEqual(["the secret", "the next"]);
  });

  test("secrets under the newest key stay", () => {
    expect(records.move(aUser(seal(newer, "the secret")))).toBeNull();
  });
});

describe("needsSecondFactor", () => {
  test.each([
    ["none", []],
    ["analysts", ["Analyst"]],
    ["analysts-and-owners", ["Owner", "Analyst"]],
  ] as const)("%s: %j", (secondFactorFor, expected) => {
    const roles = ["Owner", "Developer", "Viewer", "Analyst"] as const;
    expect(roles.filter((role) => needsSecondFactor({ secondFactorFor }, role))).toEqual(expected);
  });
});
