/** NATS servers get hashes of passwords: a leaked hash allows no sign-in. */
import { scryptSync } from "node:crypto";
import { encodeBase64, hash } from "bcryptjs";

/**
 * A server computes it for each connection. Measured, a connect takes five times as long with 11, the default of
 * `nats server passwd`. Our passwords are 32 random bytes, so a higher cost makes none harder to guess.
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
 * The hash is the same each time, because a server closes every connection whose user changed. The salt is derived from the
 * password by a slow function, so that it does not help to guess.
 */
async function hashOf(user: string, password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw new Error(`The password of the NATS user ${user} is longer than ${MAX_BYTES} bytes.`);
  const salt = scryptSync(password, `NATS user ${user}`, SALT_BYTES);
  return hash(password, `$2a$0${COST}$${encodeBase64(salt, SALT_BYTES)}`);
}
