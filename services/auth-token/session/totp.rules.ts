/** TOTP (RFC 6238) as in every app: SHA-1, six digits, 30 seconds. A code counts one step early or late, and once. */
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** HOTP (RFC 4226) of the step that this moment lies in. */
export function codeAt(secret: Buffer, atMs: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(stepAt(atMs)));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step of a code that is in force and newer than the last one used; null for any other. */
export function stepOfCode(secret: Buffer, code: string, atMs: number, usedUpTo: number): number | null {
  const given = Buffer.from(code);
  const found = [-STEP_MS, 0, STEP_MS]
    .map((difference) => atMs + difference)
    .filter((at) => stepAt(at) > usedUpTo)
    .find((at) => {
      const right = Buffer.from(codeAt(secret, at));
      return right.length === given.length && timingSafeEqual(right, given);
    });
  return found === undefined ? null : stepAt(found);
}

const stepAt = (atMs: number): number => Math.floor(atMs / STEP_MS);

/** RFC 4648 without padding, for people and for authenticators. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** Content of the QR code for an authenticator. */
export const otpauthUri = (issuer: string, account: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${account}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
