/** Sign-in and sign-out of the dashboard, and the session in between. */
import type { SessionView } from "../../shared/contract/answers/session.ts";
import { errorCode } from "../../shared/errors.ts";
import { endedSessionCookie, sessionCookie } from "../../shared/identity/session-cookie.ts";
import type { SessionFacts } from "../../shared/identity/session-facts.ts";
import { bodyReader } from "../../shared/input/validation.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { loginBody } from "./auth-token.schemas.ts";
import type { Deps } from "./deps.ts";
import { checkSession } from "./session/check-session.ts";
import { login, wrongCredentials } from "./session/login.ts";
import { notSignedIn, signedIn } from "./session/own-account.ts";

const readLogin = bodyReader<{ email: string; password: string; code?: string }>(
  loginBody,
  "Send email and password as strings.",
);

export function sessionActions(deps: Deps) {
  const { config, logger, metrics, sessions } = deps;

  return {
    login: refusing(async ({ params, meta }) => {
      const { requestId, caller, clientAddress = "unknown" } = meta;
      const { email, password, code = null } = readLogin(params.body);
      const formerSessionId = caller ? signedIn(meta).sessionId : null;
      const { userAgent = null } = params.headers;
      const accountHash = deps.accountHash(email);
      try {
        const attempt = { email, password, code, address: clientAddress, formerSessionId, userAgent };
        const { user, session, cookieValue } = await login(deps, meta, attempt);
        const facts = await checkSession(deps, session._id);
        // The credentials were changed, or the sessions ended, while this sign-in was under way.
        if (!facts) throw wrongCredentials();
        logger.info({ requestId, userId: user._id, accountHash, role: user.role }, "login.succeeded");
        meta.$responseHeaders = { "Set-Cookie": sessionCookie(config, cookieValue) };
        return sessionView(facts);
      } catch (error) {
        const reason = errorCode(error) ?? "Service.Error";
        metrics.increment("pbo_auth_failures_total", { reason });
        logger.warn({ requestId, reason, accountHash, address: clientAddress }, "login.failed");
        throw error;
      }
    }),
    checkSession: internal(({ params }) =>
      checkSession(deps, String(params.sessionId), {
        inSandbox: params.inSandbox === true,
        isBackground: params.isBackground === true,
      }),
    ),
    // The gateway has checked the session and noted the visit, except for a background read.
    describeSession: published(async ({ meta }) =>
      sessionView(await checkSession(deps, signedIn(meta).sessionId, { isBackground: true })),
    ),
    logout: published(async ({ meta }) => {
      await sessions.remove(signedIn(meta).sessionId);
      meta.$responseHeaders = { "Set-Cookie": endedSessionCookie(config) };
      logger.info({ requestId: meta.requestId }, "logout.done");
      return null;
    }),
  } satisfies Partial<Actions<"auth-token">>;
}

/** Without the circuit breaker: refused sign-ins say nothing about the instance, and an open breaker refuses everybody. */
const refusing = <Request, Answer>(handler: Parameters<typeof published<Request, Answer>>[0]) => ({
  ...published(handler),
  circuitBreaker: { enabled: false },
});

function sessionView(facts: SessionFacts | null): SessionView {
  if (!facts) throw notSignedIn();
  const { email, role, isLead = false, partner, expiresAt } = facts;
  return {
    user: { email, role, isLead },
    partner: partner && { partnerId: partner.partnerId, name: partner.name },
    expiresAt,
  };
}
