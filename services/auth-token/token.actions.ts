import type { ActionSchema, Context } from "moleculer";
import { errorCode } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { rateLimitHeaders } from "../../shared/identity/rate-limit-headers.ts";
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { isDatabaseAway } from "../../shared/mongo.ts";
import type { QuotaRequest } from "../../shared/quota-leases.ts";
import type { Parts } from "./deps.ts";
import type { AssertionRefused } from "./token/assertion.rules.ts";
import { type IssueTokenDeps, issueToken } from "./token/issue-token.ts";
import { serverMetadata } from "./token/metadata.rules.ts";
import { createFailureRecorder } from "./token/record-token-failure.ts";
import { OAuthProblem } from "./token/token-request.rules.ts";
import { trustState } from "./token/trust-state.ts";

type HttpMeta = CallMeta & { $statusCode?: number; $responseHeaders?: Record<string, string> };

const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };
/** Shorter than the time between the publishing of a key and its first use. */
const KEY_SET_CACHE = { "Cache-Control": "public, max-age=60" };

export function tokenActions(parts: Parts) {
  const { metrics, logger, keys, quotas } = parts;
  const recordFailure = createFailureRecorder(parts);

  const depsFor = (requestId: string): IssueTokenDeps => ({
    facts: parts.facts,
    clock: parts.clock,
    findClient: parts.clients.find,
    takeQuota: (clientId) => parts.tokenQuota.take(`token ${clientId}`, parts.config.tokensPerMinute),
    useAssertion: parts.assertions.use,
    signer: keys.signer,
    async recordRefusal(refusal: AssertionRefused, claimedClientId) {
      const clientId = typeof claimedClientId === "string" ? claimedClientId.slice(0, 100) : null;
      metrics.increment("pbo_auth_failures_total", { reason: refusal.reason });
      logger.warn({ requestId, clientId, reason: refusal.reason, detail: refusal.message }, "token.refused");
      await recordFailure(refusal, claimedClientId, requestId).catch((err) =>
        logger.warn({ err, requestId }, "token_failure.not_recorded"),
      );
    },
  });

  /** Never throws: what goes wrong with one request must not touch the others of its group. */
  async function answer({
    params: { body, headers },
    meta: { requestId },
  }: GroupedRequest): Promise<GroupedAnswer> {
    try {
      const { body: token, quota } = await issueToken(
        depsFor(requestId),
        body,
        headers.hasAuthorization === true,
      );
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
    issueTokens: {
      visibility: "public" as const,
      handler: async ({ params }: Context<{ requests: GroupedRequest[] }>) => ({
        answers: await Promise.all(params.requests.map(answer)),
      }),
    },
    keySet: {
      visibility: "published" as const,
      async handler(ctx: Context<HttpParams, HttpMeta>) {
        ctx.meta.$responseHeaders = KEY_SET_CACHE;
        return { keys: await keys.publicKeys() };
      },
    },
    metadata: {
      visibility: "published" as const,
      handler(ctx: Context<HttpParams, HttpMeta>) {
        ctx.meta.$responseHeaders = KEY_SET_CACHE;
        return serverMetadata(parts.facts);
      },
    },
    trustState: { visibility: "public" as const, handler: () => trustState(parts) },
    leaseQuota: {
      visibility: "public" as const,
      handler: (ctx: Context<QuotaRequest>) => quotas.lease(ctx.params),
    },
  };
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
