/** Access tokens: one is kept until shortly before it expires, and concurrent calls share one request for it. */
import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { ConnectionError, refuseRedirect, TokenError } from "./errors.ts";

export type TokenSettings = {
  baseUrl: string;
  clientId: string;
  /** PEM text of the private key whose certificate is registered. */
  privateKey: string;
  scope?: string;
  timeoutMs: number;
};

const ASSERTION_SECONDS = 60;
/** Renewed this long before it expires, so that none expires during a call. */
const EARLY_MS = 30_000;

export type TokenSource = ReturnType<typeof createTokenSource>;

type Kept = { token: Promise<string>; value?: string; until: number };

export function createTokenSource(settings: TokenSettings) {
  const key = createPrivateKey(settings.privateKey);
  let kept: Kept | undefined;

  function request(): Kept {
    const own: Kept = { token: requestToken(settings, key).then(keep), until: Number.POSITIVE_INFINITY };
    function keep({ token, lifetimeMs }: { token: string; lifetimeMs: number }): string {
      own.value = token;
      own.until = Date.now() + lifetimeMs - EARLY_MS;
      return token;
    }
    // Waiting callers get the failure; the next call requests a token again.
    own.token.catch(() => {
      if (kept === own) kept = undefined;
    });
    return own;
  }

  return {
    get(): Promise<string> {
      if (!kept || kept.until <= Date.now()) kept = request();
      return kept.token;
    },
    /** After a refusal of this token; another call may already have a new token. */
    forget(token: string): void {
      if (kept?.value === token) kept = undefined;
    },
  };
}

async function requestToken(
  { baseUrl, clientId, scope, timeoutMs }: TokenSettings,
  key: KeyObject,
): Promise<{ token: string; lifetimeMs: number }> {
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion(clientId, baseUrl, key),
      ...(scope ? { scope } : {}),
    }),
  }).catch((cause: unknown) => {
    throw new ConnectionError("The token endpoint does not answer.", cause);
  });
  refuseRedirect(response);
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (!response.ok)
    throw new TokenError(response.status, String(body.error), String(body.error_description ?? ""));
  return { token: String(body.access_token), lifetimeMs: Number(body.expires_in) * 1_000 };
}

function assertion(clientId: string, audience: string, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1_000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: clientId, sub: clientId, aud: audience, iat: now, exp: now + ASSERTION_SECONDS };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ ...claims, jti: randomUUID() })}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
