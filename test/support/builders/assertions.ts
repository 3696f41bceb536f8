/** Client assertions, right by default; every part can be made wrong. */
import { createHmac, type KeyObject, randomUUID, sign } from "node:crypto";

export type AssertionWish = {
  clientId: string;
  key: KeyObject;
  audience: string;
  now?: number;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** The signature, whatever the header says; RS256 unless given. */
  signWith?: (signed: Buffer) => Buffer;
};

export function makeAssertion({ clientId, key, audience, now = Date.now(), ...wish }: AssertionWish): string {
  const seconds = Math.floor(now / 1_000);
  const header = { alg: "RS256", typ: "JWT", ...wish.header };
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: seconds,
    exp: seconds + 60,
    jti: randomUUID(),
    ...wish.claims,
  };
  const signed = Buffer.from(`${encode(header)}.${encode(claims)}`);
  const signature = wish.signWith ? wish.signWith(signed) : sign("sha256", signed, key);
  return `${signed}.${signature.toString("base64url")}`;
}

export const hmacWith = (secret: string) => (signed: Buffer) =>
  createHmac("sha256", secret).update(signed).digest();

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export const tokenForm = (assertion: string, extra: Record<string, string> = {}): URLSearchParams =>
  new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion,
    ...extra,
  });
