/** Security headers of every answer, whether a route gave it or not. */
type Header = readonly [name: string, value: string];

const ALWAYS: readonly Header[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ["Cache-Control", "no-store"],
];

const ONE_YEAR_SECONDS = 31_536_000;

export const securityHeaders = (isHttps: boolean): readonly Header[] =>
  isHttps
    ? [...ALWAYS, ["Strict-Transport-Security", `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`]]
    : ALWAYS;
