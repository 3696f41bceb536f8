/** Issues tokens, and publishes the keys and revocations that verify them. */

import { ACCESS_TOKEN_SECONDS } from "../../shared/contract/durations.ts";
import { errorCode } from "../../shared/errors.ts";
import { rateLimitHeaders } from "../../shared/identity/rate-limit-headers.ts";
import { answerEach } from "../../shared/moleculer/answer-group.ts";
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { isDatabaseAway } from "../../shared/mongo/database-away.ts";
import type { Deps } from "./deps.ts";
import { issueToken } from "./token/issue-token.ts";
import { serverMetadata } from "./token/metadata.rules.ts";
import { createRefusalRecorder } from "./token/record-token-failure.ts";
import { OAuthProblem } from "./token/token-request.rules.ts";

const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };
/** Shorter than the time between the publishing of a key and its first use. */
const KEY_SET_CACHE = { "Cache-Control": "public, max-age=60" };
/** Older tokens have expired; twice their lifetime allows for clocks that differ. */
const TRUST_LOOK_BACK_MS = 2 * ACCESS_TOKEN_SECONDS * 1_000;

export function tokenActions(deps: Deps) {
  const { clock, credentials, keys, logger, metrics, partners, quotas } = deps;
  const issueDeps = { ...deps, recordRefusal: createRefusalRecorder(deps) };

  /** Never throws: a failed request must not affect the others of its group. */
  async function answer({
    params: { body, headers },
    meta: { requestId },
  }: GroupedRequest): Promise<GroupedAnswer> {
    try {
      const form = { body, hasAuthorization: headers.hasAuthorization === true };
      const { body: token, quota } = await issueToken(issueDeps, form, requestId);
      metrics.increment("pbo_tokens_issued_total");
      return { status: 200, headers: { ...NO_STORE, ...rateLimitHeaders(quota) }, body: token };
    } catch (error) {
      const { status, error: code, message, headers: extra } = problemOf(error);
      if (status >= 500) logger.error({ err: error, requestId }, "token.failed");
      return {
        status,
        headers: { ...NO_STORE, ...extra },
        body: { error: code, error_description: message },
      };
    }
  }

  return {
    issueTokens: internal(({ params }) => answerEach(params.requests, answer)),
    keySet: published(async ({ meta }) => {
      meta.$responseHeaders = KEY_SET_CACHE;
      return { keys: await keys.publicKeys() };
    }),
    metadata: published(({ meta }) => {
      meta.$responseHeaders = KEY_SET_CACHE;
      return serverMetadata(deps.facts);
    }),
    trustState: internal(async () => {
      const since = new Date(clock.now() - TRUST_LOOK_BACK_MS);
      const [publicKeys, revokedCredentialIds, removedCertificateIds, inactivePartnerIds] = await Promise.all(
        [
          keys.publicKeys(),
          credentials.revokedSince(since),
          credentials.certificatesRemovedSince(since),
          partners.deactivatedSince(since),
        ],
      );
      return { keys: publicKeys, revokedCredentialIds, removedCertificateIds, inactivePartnerIds };
    }),
    leaseQuota: internal(({ params }) => quotas.lease(params)),
  } satisfies Partial<Actions<"auth-token">>;
}

function problemOf(error: unknown): OAuthProblem {
  if (error instanceof OAuthProblem) return error;
  if (isDatabaseAway(error) || errorCode(error) === "Service.Unavailable")
    return new OAuthProblem(
      503,
      "temporarily_unavailable",
      "No token can be issued at the moment; try again.",
      { "Retry-After": "1" },
    );
  return new OAuthProblem(500, "server_error", "Something went wrong on our side.");
}
