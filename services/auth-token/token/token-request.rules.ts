/** The form of the token endpoint (RFC 6749, RFC 7523), read strictly: ambiguous forms are refused. */

type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "temporarily_unavailable"
  | "server_error";

/** A refusal of the token endpoint, in the words of RFC 6749. */
export class OAuthProblem extends Error {
  readonly status: number;
  readonly error: OAuthErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    error: OAuthErrorCode,
    description: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.name = "OAuthProblem";
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

type TokenRequest = { assertion: string; clientId: string | null; scope: string | null };

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const invalidRequest = (description: string) => new OAuthProblem(400, "invalid_request", description);

/** Reads the form; a parameter without a value counts as left out (RFC 6749, 3.2). */
export function readTokenRequest(form: unknown, hasAuthorizationHeader: boolean): TokenRequest {
  const parameters = singleParameters(typeof form === "string" ? form : "");
  const grantType = parameters.get("grant_type");
  if (!grantType) throw invalidRequest("grant_type is missing.");
  const assertion = parameters.get("client_assertion");
  const assertionType = parameters.get("client_assertion_type");
  const hasSecret = hasAuthorizationHeader || parameters.has("client_secret");
  if (assertion && hasSecret)
    throw invalidRequest(
      "Authenticate by client_assertion alone: no client_secret, no Authorization header.",
    );
  if (grantType !== "client_credentials")
    throw new OAuthProblem(400, "unsupported_grant_type", "grant_type must be client_credentials.");
  if (!assertion && (hasSecret || !assertionType)) throw notAuthenticated(hasAuthorizationHeader);
  if (!assertion) throw invalidRequest("client_assertion is missing.");
  if (!assertionType) throw invalidRequest(`client_assertion_type must be ${ASSERTION_TYPE}.`);
  if (assertionType !== ASSERTION_TYPE) throw notAuthenticated(hasAuthorizationHeader);
  return { assertion, clientId: parameters.get("client_id") ?? null, scope: parameters.get("scope") ?? null };
}

/** RFC 6749, 5.2: a client that sent the header is challenged; HTTP Basic is the scheme that OAuth has for it. */
const notAuthenticated = (hasAuthorizationHeader: boolean) =>
  new OAuthProblem(
    401,
    "invalid_client",
    `Authenticate by private_key_jwt: client_assertion, and client_assertion_type ${ASSERTION_TYPE}.`,
    hasAuthorizationHeader ? { "WWW-Authenticate": 'Basic realm="token endpoint"' } : {},
  );

function singleParameters(form: string): Map<string, string> {
  const seen = new Set<string>();
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (seen.has(name)) throw invalidRequest("A parameter appears more than once.");
    seen.add(name);
    if (value !== "") values.set(name, value);
  }
  return values;
}
