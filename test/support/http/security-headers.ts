/** Headers that every answer of the gateway carries. */
import { expect } from "@jest/globals";

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

export function expectSecurityHeaders(headers: Headers): void {
  // A row that says so is kept by the browser of who asked, and asked for again each time.
  const isKept = /^public,|^private, no-cache$/.test(headers.get("cache-control") ?? "");
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (name !== "cache-control" || !isKept) expect([name, headers.get(name)]).toEqual([name, value]);
  expect(headers.get("svc-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("access-control-allow-origin")).toBeNull();
}
