/**
 * Names an account in the log without its email. The key is derived from the newest token key, so the log alone lets
 * no reader try emails, and the name of an account changes when that key is rotated.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { comparedEmail } from "../account/user.rules.ts";

export type AccountHash = (email: string) => string;

const KEY_BYTES = 32;
/** 132 bits: two accounts do not meet. */
const HASH_LETTERS = 22;

export function createAccountHash([newest]: readonly { key: Uint8Array }[]): AccountHash {
  if (!newest) throw new Error("There is no token key.");
  const key = Buffer.from(hkdfSync("sha256", newest.key, "", "account names in the log", KEY_BYTES));
  return (email) =>
    createHmac("sha256", key).update(comparedEmail(email)).digest("base64url").slice(0, HASH_LETTERS);
}
