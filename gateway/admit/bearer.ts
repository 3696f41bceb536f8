/** Checks access tokens of partners (RFC 6750, RFC 9068) without a call to another process. */
import { type KeyObject, verify } from "node:crypto";
import { BoundedMap } from "../../shared/bounded-map.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { PartnerCaller, Scope } from "../../shared/identity/caller.ts";
import { certificateOfToken, credentialOfToken } from "../../shared/identity/token-id.ts";
import { type AccessToken, readAccessToken } from "./bearer.rules.ts";
import type { Trust } from "./trust.ts";

type Deps = { clock: Clock; trust: Trust; issuer: string; audience: string };

/** A token is used many times in its five minutes; its signature is checked once. */
const MAX_REMEMBERED = 10_000;
const MAX_TOKEN_LENGTH = 4_096;

export function createBearerCheck({ clock, trust, issuer, audience }: Deps) {
  const verified = new BoundedMap<string, { token: AccessToken; key: KeyObject }>(MAX_REMEMBERED);

  async function verifiedToken(compact: string): Promise<AccessToken | null> {
    const token = verified.get(compact)?.token ?? readAccessToken(compact, { issuer, audience });
    if (!token) return null;
    // Looked up each time: when a key is no longer trusted, its tokens end.
    const key = await trust.keyOf(token.kid);
    if (!key) return null;
    if (verified.get(compact)?.key === key) return token;
    if (!verify(null, token.signed, key, token.signature)) return null;
    verified.set(compact, { token, key });
    return token;
  }

  async function require(authorization: string | undefined, scope: Scope): Promise<PartnerCaller> {
    const compact = bearerOf(authorization);
    const token = await verifiedToken(compact);
    const now = clock.now() / 1_000;
    if (!token || token.exp <= now || token.iat > now + CLOCK_SKEW_SECONDS) {
      verified.delete(compact);
      throw refused("The access token is not valid or has expired. Get a new one at /oauth2/token.");
    }
    if (trust.isCredentialRevoked(credentialOfToken(token.jti)))
      throw refused("The API client of this access token was revoked. Use another API client.");
    if (trust.isCertificateRemoved(certificateOfToken(token.jti)))
      throw refused(
        "The certificate of this access token was removed. Get a new token with another certificate.",
      );
    if (trust.isPartnerInactive(token.caller.partnerId))
      throw new AppError("Partner.Inactive", "The partner is inactive. Ask your contact.");
    if (!token.caller.scopes.includes(scope))
      throw new AppError(
        "Partner.InsufficientScope",
        `The access token lacks the scope ${scope}. Request a token with this scope.`,
        {
          headers: { "WWW-Authenticate": challenge(`error="insufficient_scope", scope="${scope}"`) },
        },
      );
    return token.caller;
  }

  return {
    require,
    /** False for what cannot be a token of ours; needs no key. */
    mayBeGood(authorization: string | undefined): boolean {
      const [, compact = ""] = BEARER.exec(authorization ?? "") ?? [];
      if (verified.has(compact)) return true;
      const token = compact.length > MAX_TOKEN_LENGTH ? null : readAccessToken(compact, { issuer, audience });
      return token !== null && token.exp > clock.now() / 1_000 && trust.knowsKey(token.kid);
    },
  };
}

/** Between the issuing machine and this one. */
const CLOCK_SKEW_SECONDS = 30;

const IS_BEARER = /^Bearer(?: |$)/i;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

function bearerOf(authorization: string | undefined): string {
  // Another scheme is challenged without an error code (RFC 6750, 3.1).
  if (authorization === undefined || !IS_BEARER.test(authorization))
    throw new AppError("Partner.NotAuthenticated", "Send an access token: Authorization: Bearer <token>.", {
      headers: { "WWW-Authenticate": challenge() },
    });
  const [, compact = ""] = BEARER.exec(authorization) ?? [];
  if (compact === "" || compact.length > MAX_TOKEN_LENGTH)
    throw refused("The Authorization header has no bearer token. Send: Authorization: Bearer <token>.");
  return compact;
}

const refused = (message: string): AppError =>
  new AppError("Partner.NotAuthenticated", message, {
    headers: { "WWW-Authenticate": challenge('error="invalid_token"') },
  });

const challenge = (parameters = ""): string =>
  `Bearer realm="partner-api"${parameters === "" ? "" : `, ${parameters}`}`;
