import type { Route } from "../route.ts";

const common = { auth: "none", envelope: "plain", built: true, tag: "Tokens" } as const;

export const tokenRoutes: readonly Route[] = [
  {
    ...common,
    method: "POST",
    path: "/oauth2/token",
    action: "auth-token.issueToken",
    limit: "token",
    body: "form",
    doc: { summary: "Exchange a signed client assertion for an access token" },
  },
  {
    ...common,
    method: "GET",
    path: "/oauth2/jwks",
    action: "auth-token.keySet",
    limit: "none",
    body: "none",
    doc: { summary: "Public keys of the access tokens" },
  },
  {
    ...common,
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    action: "auth-token.metadata",
    limit: "none",
    body: "none",
    doc: { summary: "Authorization server metadata (RFC 8414)" },
  },
];
