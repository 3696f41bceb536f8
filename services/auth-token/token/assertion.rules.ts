/** The rules for a client assertion (RFC 7523, FAPI 2.0), one function a rule, in the order they are applied. */
import { isRecord } from "../../../shared/is-record.ts";

type FailureReason =
  | "AssertionMalformed"
  | "AlgorithmNotAllowed"
  | "TypeNotAllowed"
  | "CriticalHeaderRefused"
  | "ClientUnknown"
  | "IssuerMismatch"
  | "PartnerInactive"
  | "CredentialRevoked"
  | "CertificateMissing"
  | "CertificateExpired"
  | "CertificateNotYetValid"
  | "KeyNotAllowed"
  | "SignatureInvalid"
  | "AudienceInvalid"
  | "ExpiryInvalid"
  | "Expired"
  | "ExpiryTooFar"
  | "NotYetValid"
  | "IssuedInFuture"
  | "JtiInvalid"
  | "Replayed";

/** The reason of a refusal; the caller learns only that the assertion was refused. */
export class AssertionRefused extends Error {
  readonly reason: FailureReason;
  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = "AssertionRefused";
    this.reason = reason;
  }
}

export type Assertion = {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The signed bytes. */
  signed: Buffer;
  signature: Buffer;
};

export const CLOCK_SKEW_SECONDS = 30;
/** Some OAuth libraries make an assertion for an hour by default. */
const MAX_ASSERTION_SECONDS = 3_600;
const JTI_LENGTH = { min: 16, max: 255 };
const TYPES = new Set([undefined, "JWT", "client-authentication+jwt"]);
const BASE64URL = /^[A-Za-z0-9_-]+$/;

export function decodeAssertion(jwt: string): Assertion {
  const parts = jwt.split(".");
  const [header = "", claims = "", signature = ""] = parts;
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part)))
    throw new AssertionRefused("AssertionMalformed", "The assertion is not a signed JWT in compact form.");
  return {
    header: decodeObject(header),
    claims: decodeObject(claims),
    signed: Buffer.from(jwt.slice(0, header.length + 1 + claims.length), "latin1"),
    signature: Buffer.from(signature, "base64url"),
  };
}

/** jku, x5u, jwk, x5c and kid are ignored: they never choose a key. */
export function checkHeader({ alg, typ, crit }: Record<string, unknown>): void {
  if (alg !== "RS256")
    throw new AssertionRefused("AlgorithmNotAllowed", `The alg header must be RS256, not ${shown(alg)}.`);
  if (!TYPES.has(typ as string | undefined))
    throw new AssertionRefused("TypeNotAllowed", `The typ header may not be ${shown(typ)}.`);
  if (crit !== undefined)
    throw new AssertionRefused("CriticalHeaderRefused", "The crit header is not allowed.");
}

/** The client that the assertion speaks for. */
export function subjectOf({ sub }: Record<string, unknown>): string {
  if (typeof sub !== "string" || sub === "")
    throw new AssertionRefused("ClientUnknown", "The sub claim names no client.");
  return sub;
}

export function checkParties({ iss, sub }: Record<string, unknown>, clientIdParameter: string | null): void {
  if (iss !== sub)
    throw new AssertionRefused("IssuerMismatch", "The iss and sub claims must both be the client id.");
  if (clientIdParameter !== null && clientIdParameter !== sub)
    throw new AssertionRefused("IssuerMismatch", "The client_id parameter differs from the sub claim.");
}

export function checkAudience({ aud }: Record<string, unknown>, accepted: readonly string[]): void {
  const [only, ...others] = Array.isArray(aud) ? aud : [aud];
  if (others.length > 0 || !accepted.includes(only))
    throw new AssertionRefused(
      "AudienceInvalid",
      `The aud claim must be exactly one of: ${accepted.join(", ")}.`,
    );
}

export function checkTimes({ exp, nbf, iat }: Record<string, unknown>, nowSeconds: number): void {
  if (!isTime(exp)) throw new AssertionRefused("ExpiryInvalid", "The exp claim is missing or not a number.");
  if (exp <= nowSeconds - CLOCK_SKEW_SECONDS)
    throw new AssertionRefused("Expired", `The assertion expired ${Math.round(nowSeconds - exp)} s ago.`);
  if (exp > nowSeconds + MAX_ASSERTION_SECONDS + CLOCK_SKEW_SECONDS)
    throw new AssertionRefused(
      "ExpiryTooFar",
      `The exp claim may be at most ${MAX_ASSERTION_SECONDS} s ahead; it is ${Math.round(exp - nowSeconds)} s.`,
    );
  if (nbf !== undefined && (!isTime(nbf) || nbf > nowSeconds + CLOCK_SKEW_SECONDS))
    throw new AssertionRefused(
      "NotYetValid",
      "The nbf claim lies in the future. Check the clock of the machine.",
    );
  if (iat !== undefined && (!isTime(iat) || iat > nowSeconds + CLOCK_SKEW_SECONDS))
    throw new AssertionRefused(
      "IssuedInFuture",
      "The iat claim lies in the future. Check the clock of the machine.",
    );
}

export function jtiOf({ jti }: Record<string, unknown>): string {
  if (typeof jti !== "string" || jti.length < JTI_LENGTH.min || jti.length > JTI_LENGTH.max)
    throw new AssertionRefused(
      "JtiInvalid",
      `The jti claim must be a string of ${JTI_LENGTH.min} to ${JTI_LENGTH.max} characters.`,
    );
  return jti;
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Attacker's text in a message of ours: short and on one line. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? "absent").slice(0, 40);

function decodeObject(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (isRecord(value)) return value;
  } catch {
    // Text that is not JSON gets the same refusal as a value that is no object.
  }
  throw new AssertionRefused(
    "AssertionMalformed",
    "A part of the assertion is not a JSON object in base64url.",
  );
}
