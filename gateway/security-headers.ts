/** Headers of every answer, also of those that no route gave. */
import type { ServerResponse } from "node:http";

const ALWAYS: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
  ["Cache-Control", "no-store"],
];

const ONE_YEAR_SECONDS = 31_536_000;

export function setSecurityHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of ALWAYS) response.setHeader(name, value);
  if (isHttps)
    response.setHeader("Strict-Transport-Security", `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`);
}
