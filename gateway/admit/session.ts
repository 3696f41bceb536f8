/** Checks sessions of signed-in people: who they are, and whether they may use the route. */
import type { IncomingMessage } from "node:http";
import { BoundedMap } from "../../shared/bounded-map.ts";
import type { Config } from "../../shared/config/config.ts";
import { AppError } from "../../shared/errors.ts";
import type { AnalystCaller, Role, UserCaller } from "../../shared/identity/caller.ts";
import { sessionCookieName, sessionIdOf } from "../../shared/identity/session-cookie.ts";
import type { SessionFacts } from "../../shared/identity/session-facts.ts";
import type { Route } from "../route.ts";
import type { GatekeeperDeps } from "./gatekeeper-deps.ts";
import { isCrossSiteWrite } from "./session-cross-site.rules.ts";

type Deps = Pick<GatekeeperDeps, "call"> & { config: Config };

/** Remembered people; their sessions are still checked each time. */
const MAX_REMEMBERED = 10_000;

export function createSessionCheck({ call, config }: Deps) {
  const seen = new BoundedMap<string, true>(MAX_REMEMBERED);
  const cookieName = sessionCookieName(config);
  const ownOrigin = new URL(config.baseUrl).origin;

  const refuseCrossSite = (request: IncomingMessage): void => {
    if (isCrossSiteWrite(request.method ?? "", request.headers, ownOrigin))
      throw new AppError(
        "Request.CrossSite",
        "The request was sent by a page of another site. Send it from the dashboard.",
      );
  };

  const factsOf = async (request: IncomingMessage, inSandbox = false): Promise<SessionFacts | null> => {
    const value = cookieOf(request.headers.cookie, cookieName);
    return value === null
      ? null
      : await call<SessionFacts | null>("auth-token.checkSession", {
          sessionId: sessionIdOf(value),
          ...(inSandbox ? { inSandbox } : {}),
          ...(request.headers["svc-background"] === "true" ? { isBackground: true } : {}),
        });
  };

  const remember = ({ sessionId }: SessionFacts): void => {
    if (!seen.has(sessionId)) seen.set(sessionId, true);
  };

  const notSignedIn = (message: string): AppError =>
    new AppError("Partner.NotAuthenticated", message, {
      headers: { "WWW-Authenticate": `Cookie realm="dashboard", cookie-name="${cookieName}"` },
    });

  const checkFresh = ({ signedInSecondsAgo = Number.POSITIVE_INFINITY }: SessionFacts): void => {
    const { freshSignInMinutes: minutes } = config;
    if (minutes > 0 && signedInSecondsAgo > minutes * 60)
      throw new AppError(
        "Session.FreshSignInRequired",
        `You signed in more than ${minutes} minutes ago. Sign in again to do this.`,
      );
  };

  return {
    /** For a route that needs a session. */
    async require(route: Route, request: IncomingMessage): Promise<UserCaller | AnalystCaller> {
      if (cookieOf(request.headers.cookie, cookieName) === null) throw notSignedIn("Sign in first.");
      refuseCrossSite(request);
      // People act for the test twin of their partner by a header; their session stays the live one's.
      const inSandbox = route.auth === "user" && request.headers["svc-sandbox"] === "true";
      const facts = await factsOf(request, inSandbox);
      if (!facts) throw notSignedIn("The session has ended. Sign in again.");
      remember(facts);
      const caller = callerOf(facts, inSandbox);
      if (!caller || (route.auth === "user" && caller.kind !== "user"))
        throw notSignedIn("This account belongs to no partner. Sign in as a person of a partner.");
      checkRole(route, facts.role);
      if (facts.lacksSecondFactor && route.auth !== "session")
        throw new AppError(
          "Session.SecondFactorMissing",
          "Your role needs a second factor. Set one up first: POST /api/customer/v1/session/second-factor.",
        );
      if (route.fresh) checkFresh(facts);
      if (route.auth === "user" && !route.openToInactivePartner) checkPartner(facts.partner);
      return caller;
    },
    /** False for a session that this process has not admitted before; makes no call. */
    mayBeGood(request: IncomingMessage): boolean {
      const value = cookieOf(request.headers.cookie, cookieName);
      return value !== null && seen.has(sessionIdOf(value));
    },
    /** The session of a browser that has one. */
    async optional(request: IncomingMessage): Promise<UserCaller | AnalystCaller | null> {
      refuseCrossSite(request);
      const facts = await factsOf(request);
      return facts && callerOf(facts);
    },
  };
}

function checkRole(route: Route, role: Role): void {
  const roles = route.auth === "analyst" ? (["Analyst"] as const) : route.roles;
  if (roles && !roles.some((each) => each === role))
    throw new AppError(
      "Partner.InsufficientRole",
      `This needs the role ${roles.join(" or ")}. Yours is ${role}.`,
    );
}

function checkPartner(partner: SessionFacts["partner"]): void {
  if (!partner?.active) throw new AppError("Partner.Inactive", "The partner is inactive. Ask your contact.");
  if (!partner.onboardingApproved)
    throw new AppError(
      "Partner.OnboardingNotApproved",
      "The partner's own onboarding is not approved yet. Ask your contact.",
    );
}

/** Null for a person without a partner. */
function callerOf(facts: SessionFacts, inSandbox = false): UserCaller | AnalystCaller | null {
  const { sessionId, userId, email, role, isLead, partner } = facts;
  if (role === "Analyst") return { kind: "analyst", userId, email, ...(isLead ? { isLead } : {}), sessionId };
  const isTest = inSandbox ? ({ isTest: true } as const) : {};
  return partner && { kind: "user", userId, email, role, partnerId: partner.partnerId, ...isTest, sessionId };
}

/** A sibling host can plant a second cookie of this name; then neither is used. */
function cookieOf(header: string | undefined, name: string): string | null {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ""] = values;
  return values.length === 1 && /^[A-Za-z0-9_-]{16,128}$/.test(value) ? value : null;
}
