import type { ActionSchema, Context } from "moleculer";
import { AppError, errorCode } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { endedSessionCookie, sessionCookie } from "../../shared/identity/session-cookie.ts";
import type { SessionFacts } from "../../shared/identity/session-facts.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { compileCheck } from "../../shared/validation.ts";
import type { Parts } from "./deps.ts";
import { checkSession } from "./session/check-session.ts";
import { login } from "./session/login.ts";
import { loginBody } from "./session/session.schemas.ts";

type HttpMeta = CallMeta & { $responseHeaders?: Record<string, string> };

const checkLogin = compileCheck(loginBody, "ValidationControl.Error");

export function sessionActions(parts: Parts) {
  const { config, logger, metrics, sessions } = parts;

  return {
    login: {
      visibility: "published" as const,
      async handler(ctx: Context<HttpParams, HttpMeta>) {
        const { requestId, caller, clientAddress = "unknown" } = ctx.meta;
        const { email, password } = readLogin(ctx.params.body);
        const formerSessionId = caller ? sessionOf(ctx.meta) : null;
        try {
          const attempt = { email, password, address: clientAddress, formerSessionId };
          const { user, session, cookieValue } = await login(parts, attempt);
          logger.info({ requestId, userId: user._id, role: user.role }, "login.succeeded");
          ctx.meta.$responseHeaders = { "Set-Cookie": sessionCookie(config, cookieValue) };
          return sessionView(await checkSession(parts, session._id));
        } catch (error) {
          const reason = errorCode(error) ?? "Service.Error";
          metrics.increment("pbo_auth_failures_total", { reason });
          logger.warn({ requestId, reason, address: clientAddress }, "login.failed");
          throw error;
        }
      },
    },
    checkSession: {
      visibility: "public" as const,
      handler: (ctx: Context<{ sessionId: string }>) => checkSession(parts, String(ctx.params.sessionId)),
    },
    describeSession: {
      visibility: "published" as const,
      handler: async (ctx: Context<HttpParams, HttpMeta>) =>
        sessionView(await checkSession(parts, sessionOf(ctx.meta))),
    },
    logout: {
      visibility: "published" as const,
      async handler(ctx: Context<HttpParams, HttpMeta>) {
        await sessions.remove(sessionOf(ctx.meta));
        ctx.meta.$responseHeaders = { "Set-Cookie": endedSessionCookie(config) };
        logger.info({ requestId: ctx.meta.requestId }, "logout.done");
        return null;
      },
    },
  };
}

function readLogin(body: unknown): { email: string; password: string } {
  const details = checkLogin(body);
  if (details.length > 0)
    throw new AppError("ValidationControl.Error", "Send email and password as strings.", { details });
  return body as { email: string; password: string };
}

function sessionOf({ caller }: CallMeta): string {
  const sessionId = caller && caller.kind !== "partner" ? caller.sessionId : undefined;
  if (!sessionId) throw notSignedIn();
  return sessionId;
}

function sessionView(facts: SessionFacts | null) {
  if (!facts) throw notSignedIn();
  const { email, role, partner, expiresAt } = facts;
  return {
    user: { email, role },
    partner: partner && { partnerId: partner.partnerId, name: partner.name },
    expiresAt,
  };
}

const notSignedIn = () => new AppError("Partner.NotAuthenticated", "Nobody is signed in.");
