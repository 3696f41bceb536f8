import type { Role } from "../../shared/caller.ts";
import type { Route } from "../route.ts";

const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
const CHANGERS: readonly Role[] = ["Owner", "Developer"];

const session = {
  path: "/api/customer/v1/session",
  envelope: "dashboard",
  built: true,
  tag: "Session",
} as const;
const credentials = { auth: "user", envelope: "dashboard", built: true, tag: "API credentials" } as const;
const base = "/api/customer/v1/partner-profile/api-credentials";

export const dashboardAccessRoutes: readonly Route[] = [
  {
    ...session,
    method: "POST",
    action: "auth-token.login",
    auth: "none",
    limit: "none",
    body: "json",
    doc: { summary: "Sign in" },
  },
  {
    ...session,
    method: "GET",
    action: "auth-token.describeSession",
    auth: "session",
    limit: "read",
    body: "none",
    doc: { summary: "Who is signed in" },
  },
  {
    ...session,
    method: "DELETE",
    action: "auth-token.logout",
    auth: "session",
    limit: "none",
    body: "none",
    doc: { summary: "Sign out" },
  },
  {
    ...credentials,
    method: "GET",
    path: base,
    action: "auth-token.listCredentials",
    roles: ANYONE,
    limit: "read",
    body: "none",
    doc: { summary: "The API client of the partner" },
  },
  {
    ...credentials,
    method: "POST",
    path: base,
    action: "auth-token.createCredential",
    roles: CHANGERS,
    limit: "write",
    body: "json",
    doc: { summary: "Make the API client with its first certificate" },
  },
  {
    ...credentials,
    method: "POST",
    path: `${base}/:credentialId/certificates`,
    action: "auth-token.addCertificate",
    roles: CHANGERS,
    limit: "write",
    body: "json",
    doc: { summary: "Add a certificate, for rotation" },
  },
  {
    ...credentials,
    method: "DELETE",
    path: `${base}/:credentialId/certificates/:thumbprint`,
    action: "auth-token.removeCertificate",
    roles: CHANGERS,
    limit: "write",
    body: "none",
    doc: { summary: "Remove a certificate" },
  },
  {
    ...credentials,
    method: "POST",
    path: `${base}/:credentialId/revoke`,
    action: "auth-token.revokeCredential",
    roles: CHANGERS,
    limit: "write",
    body: "none",
    doc: { summary: "Revoke the API client" },
  },
  {
    ...credentials,
    method: "GET",
    path: `${base}/:credentialId/token-failures`,
    action: "auth-token.listTokenFailures",
    roles: ANYONE,
    limit: "read",
    body: "none",
    doc: { summary: "Why recent token requests were refused" },
  },
];
