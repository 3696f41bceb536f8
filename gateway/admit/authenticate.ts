/** Admits callers or refuses them with a reason; an unknown caller is refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, isAppError } from "../../shared/errors.ts";
import type { Caller } from "../../shared/identity/caller.ts";
import type { EdgeRequest } from "../http/edge-request.ts";
import type { Route, Row } from "../route.ts";
import { createBearerCheck } from "./bearer.ts";
import { createClientAddress } from "./client-address.ts";
import type { GatekeeperDeps } from "./gatekeeper-deps.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createSessionCheck } from "./session.ts";
import { createTrust } from "./trust.ts";

export type Gatekeeper = ReturnType<typeof createGatekeeper>;

export function createGatekeeper(deps: GatekeeperDeps) {
  const { config, clock, logger, metrics } = deps;
  const trust = createTrust(deps);
  const bearer = createBearerCheck({
    clock,
    trust,
    issuer: config.baseUrl,
    audience: `${config.baseUrl}/api`,
  });
  const session = createSessionCheck(deps);
  const rateLimit = createRateLimit(deps);
  const addressOf = createClientAddress(config.trustedProxies);

  async function identify(route: Route, request: IncomingMessage): Promise<Caller | null> {
    switch (route.auth) {
      case "partner":
        return bearer.require(request.headers.authorization, route.scope);
      case "user":
      case "analyst":
      case "session":
        return session.require(route, request);
      case "none":
        return route.optionalSession ? session.optional(request) : null;
      default:
        throw new AppError("Partner.NotAuthenticated", "This operation has no permitted callers.");
    }
  }

  /** An address that has spent its failures is refused before the work, unless its credentials look good. */
  function refuseSpent(route: Route, request: EdgeRequest): void {
    if (route.auth === "none") return;
    const refusal = rateLimit.spentFailures(addressOf(request));
    if (!refusal) return;
    const mayBeGood =
      route.auth === "partner" ? bearer.mayBeGood(request.headers.authorization) : session.mayBeGood(request);
    if (!mayBeGood) throw refusal;
  }

  /** Logs a refusal and counts it against the address; past its budget the answer is Request.RateLimited. */
  async function refuse(route: Route, request: EdgeRequest, error: AppError): Promise<AppError> {
    const address = addressOf(request);
    metrics.increment("pbo_auth_failures_total", { reason: error.type });
    logger.warn(
      {
        requestId: request.edge.requestId,
        reason: error.type,
        route: `${route.method} ${route.path}`,
        address,
      },
      "access.denied",
    );
    try {
      const headers = await rateLimit.countFailure(address);
      return new AppError(error.type, error.message, {
        ...error.data,
        headers: { ...error.data.headers, ...headers },
      });
    } catch (limited) {
      if (isAppError(limited)) return limited;
      throw limited;
    }
  }

  return {
    start: trust.start,
    async stop() {
      trust.stop();
      await rateLimit.close();
    },
    /** The caller, as the route's auth kind demands; throws an AppError otherwise. */
    async authenticate(route: Route, request: EdgeRequest): Promise<Caller | null> {
      refuseSpent(route, request);
      try {
        return await identify(route, request);
      } catch (error) {
        if (!isAppError(error) || error.code >= 500) throw error;
        throw await refuse(route, request, error);
      }
    },
    /** Counts the request and sets RateLimit headers; throws Request.RateLimited when the budget is spent. */
    limit: (
      { limit }: Pick<Row, "limit">,
      caller: Caller | null,
      request: IncomingMessage,
      response: ServerResponse,
    ) => rateLimit.count(limit, caller, addressOf(request), response),
    addressOf,
  };
}
