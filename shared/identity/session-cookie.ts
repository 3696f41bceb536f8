/** The session cookie: set by the auth-token service, read by the gateway. */
import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";

export const SESSION_SECONDS = 12 * 3_600;

type CookieConfig = Pick<Config, "env" | "baseUrl">;

/** With the __Host- prefix browsers accept the cookie only if it is Secure, host-only and has Path=/. */
export const sessionCookieName = (config: CookieConfig): string =>
  isSecure(config) ? "__Host-pbo_session" : "pbo_session";

export const sessionCookie = (config: CookieConfig, value: string): string =>
  cookie(config, value, SESSION_SECONDS);

export const endedSessionCookie = (config: CookieConfig): string => cookie(config, "", 0);

/** Stored and passed between processes in place of the cookie value, which only the browser keeps. */
export const sessionIdOf = (cookieValue: string): string =>
  createHash("sha256").update(cookieValue).digest("base64url");

const isSecure = ({ env, baseUrl }: CookieConfig): boolean =>
  env === "production" || baseUrl.startsWith("https:");

const cookie = (config: CookieConfig, value: string, maxAgeSeconds: number): string =>
  [
    `${sessionCookieName(config)}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(config) ? ["Secure"] : []),
  ].join("; ");
