/** Names an account in the log without its email: by a key of the newest token key, so readers cannot test emails. */
import { createHmac, hkdfSync } from "node:crypto";
import { comparedEmail } from "../account/user.rules.ts";

const KEY_BYTES = 32;
/** 132 bits: two accounts do not meet. */
const HASH_LETTERS = 22;

export function createAccountHash([newest]: readonly { key: Uint8Array }[]): (email: string) => string {
  if (!newest) throw new Error("There is no token key.");
  const key = Buffer.from(hkdfSync("sha256", newest.key, "", "account names in the log", KEY_BYTES));
  return (email) =>
    createHmac("sha256", key).update(comparedEmail(email)).digest("base64url").slice(0, HASH_LETTERS);
}
