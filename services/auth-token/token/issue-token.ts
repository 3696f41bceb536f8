/** Issues one access token for one client assertion. */
import type { TokenAnswer } from "../../../shared/contract/answers/token.ts";
import { ACCESS_TOKEN_SECONDS } from "../../../shared/contract/durations.ts";
import { rateLimitHeaders } from "../../../shared/identity/rate-limit-headers.ts";
import { newTokenId } from "../../../shared/identity/token-id.ts";
import type { QuotaVerdict } from "../../../shared/quota-leases.ts";
import type { Deps } from "../deps.ts";
import { type AccessTokenFacts, signAccessToken } from "./access-token.rules.ts";
import { type Assertion, AssertionRefused, CLOCK_SKEW_SECONDS, decodeAssertion } from "./assertion.rules.ts";
import { authenticateClient } from "./authenticate-client.ts";
import type { RefusalRecorder } from "./record-token-failure.ts";
import { grantedScopes } from "./scope.rules.ts";
import { OAuthProblem, readTokenRequest } from "./token-request.rules.ts";

export type IssueTokenDeps = Pick<
  Deps,
  "assertions" | "clients" | "clock" | "config" | "facts" | "keys" | "tokenQuota"
> & { recordRefusal: RefusalRecorder };

/** Room for a mongod whose clock runs ahead: it must not expire an id that we would still accept. */
const KEPT_LONGER_SECONDS = 60;

/** Throws an OAuthProblem for every request that gets no token. */
export async function issueToken(
  deps: IssueTokenDeps,
  form: { body: unknown; hasAuthorization: boolean },
  requestId: string,
): Promise<{ body: TokenAnswer; quota: QuotaVerdict }> {
  const request = readTokenRequest(form.body, form.hasAuthorization);
  const nowMs = deps.clock.now();
  let assertion: Assertion | null = null;
  try {
    assertion = decodeAssertion(request.assertion);
    const proof = await authenticateClient(deps, assertion, request.clientId, nowMs);
    const scopes = grantedScopes(request.scope, proof.client.scopes);
    const quota = await takeQuota(deps, proof.client.clientId);
    const firstUse = useOnce(deps, proof.client.clientId, proof.jti, proof.expiresAtSeconds);
    const facts = {
      ...deps.facts,
      clientId: proof.client.clientId,
      partnerId: proof.client.partnerId,
      scopes,
      isTest: proof.client.isTest,
      jti: newTokenId(proof.client.credentialId, proof.thumbprint),
      nowSeconds: Math.floor(nowMs / 1_000),
    };
    // Signed while the id of the assertion is being stored; the token is sent only if it was.
    const [access_token] = await Promise.all([signLater(facts, deps), firstUse]);
    return {
      body: { access_token, token_type: "Bearer", expires_in: ACCESS_TOKEN_SECONDS, scope: scopes.join(" ") },
      quota,
    };
  } catch (error) {
    if (!(error instanceof AssertionRefused)) throw error;
    await deps.recordRefusal(error, assertion?.claims.sub, requestId);
    throw new OAuthProblem(401, "invalid_client", CLIENT_REFUSED);
  }
}

/** The caller is unknown: only people who sign in see the reason. */
const CLIENT_REFUSED =
  "The client could not be authenticated. The dashboard and the operation token-failures show the reason.";

/** In another turn of the event loop, after the write is on its way. */
async function signLater(facts: AccessTokenFacts, deps: IssueTokenDeps): Promise<string> {
  const signer = await deps.keys.signer();
  await new Promise((resolve) => setImmediate(resolve));
  return signAccessToken(facts, signer);
}

async function takeQuota({ tokenQuota, config }: IssueTokenDeps, clientId: string): Promise<QuotaVerdict> {
  const quota = await tokenQuota.take(`token ${clientId}`, config.tokensPerMinute);
  if (quota.allowed) return quota;
  throw new OAuthProblem(
    429,
    "temporarily_unavailable",
    "Too many token requests. A token can be used until it expires.",
    { ...rateLimitHeaders(quota), "Retry-After": String(quota.resetSeconds) },
  );
}

async function useOnce(deps: IssueTokenDeps, clientId: string, jti: string, exp: number): Promise<void> {
  const expiresAt = new Date((exp + CLOCK_SKEW_SECONDS + KEPT_LONGER_SECONDS) * 1_000);
  if (!(await deps.assertions.use({ clientId, jti, expiresAt })))
    throw new AssertionRefused(
      "Replayed",
      "An assertion with this jti was used before; make a new one for each request.",
    );
}
