/** The form of an access token; its signature is checked elsewhere. */
import { type PartnerCaller, SCOPES } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";

export type AccessToken = {
  kid: string;
  jti: string;
  /** Frozen: it serves all requests that come with this token. */
  caller: PartnerCaller;
  iat: number;
  exp: number;
  signed: Buffer;
  signature: Buffer;
};

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Null for anything that is not an access token of ours; the signature is not checked here. */
export function readAccessToken(
  compact: string,
  expected: { issuer: string; audience: string },
): AccessToken | null {
  const parts = compact.split(".");
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return null;
  const [headerPart, claimsPart, signaturePart] = parts as [string, string, string];
  const header = decode(headerPart);
  const claims = decode(claimsPart);
  if (header?.alg !== "EdDSA" || header.typ !== "at+jwt" || header.crit !== undefined) return null;
  if (claims?.iss !== expected.issuer || claims.aud !== expected.audience) return null;
  const { kid } = header;
  const { jti, client_id, sub, partner_id, scope, iat, exp, test } = claims;
  const texts = [kid, jti, client_id, partner_id, scope];
  if (!texts.every((text) => typeof text === "string" && text !== "") || sub !== client_id) return null;
  if (typeof iat !== "number" || typeof exp !== "number") return null;
  const names = String(scope).split(" ");
  return {
    kid: String(kid),
    jti: String(jti),
    caller: Object.freeze<PartnerCaller>({
      kind: "partner",
      partnerId: String(partner_id),
      clientId: String(client_id),
      scopes: SCOPES.filter((name) => names.includes(name)),
      ...(test === true ? { isTest: true } : {}),
    }),
    iat,
    exp,
    signed: Buffer.from(`${headerPart}.${claimsPart}`, "latin1"),
    signature: Buffer.from(signaturePart, "base64url"),
  };
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
