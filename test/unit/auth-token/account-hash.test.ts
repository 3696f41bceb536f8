import { expect, test } from "@jest/globals";
import { createAccountHash } from "../../../services/auth-token/session/account-hash.ts";

const key = (fill: number) => ({ key: new Uint8Array(32).fill(fill) });

test("an account has one name for every spelling of its email, and another name with another key", () => {
  const hash = createAccountHash([key(1), key(2)]);
  expect(hash("Ren\u00e9@acme.example")).toBe(hash("rene\u0301@ACME.example"));
  expect(hash("ada@acme.example")).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(hash("ada@acme.example")).not.toBe(hash("adb@acme.example"));
  expect(createAccountHash([key(1)])("ada@acme.example")).toBe(hash("ada@acme.example"));
  expect(createAccountHash([key(2)])("ada@acme.example")).not.toBe(hash("ada@acme.example"));
  expect(() => createAccountHash([])).toThrow("token key");
});
