/** The form in which the NATS servers get passwords: a hash, with which nobody signs in. */
import { scryptSync } from "node:crypto";
import { encodeBase64, hash } from "bcryptjs";

/**
 * A server computes it for each connection, also when all come back at once. Measured, a connect takes five times as long
 * with 11, the default of `nats server passwd`. Our passwords are 32 random bytes, which no cost makes harder to guess.
 */
const COST = 8;
/** bcrypt reads no further. */
const MAX_BYTES = 72;
const SALT_BYTES = 16;

const isHash = (text: string): boolean => /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text);

/** Passwords in the clear become hashes; hashes stay. */
export async function hashedPasswords(passwords: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const hashed = new Map<string, string>();
  for (const [user, password] of passwords)
    hashed.set(user, isHash(password) ? password : await hashOf(user, password));
  return hashed;
}

/**
 * The same hash each time the file is made: a server cuts off every connection whose user changed. The salt comes from the
 * password by a slow function, so that it helps nobody to guess.
 */
async function hashOf(user: string, password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw new Error(`The password of the NATS user ${user} is longer than ${MAX_BYTES} bytes.`);
  const salt = scryptSync(password, `NATS user ${user}`, SALT_BYTES);
  return hash(password, `$2a$0${COST}$${encodeBase64(salt, SALT_BYTES)}`);
}
