import {
  certificateBody,
  credentialExample,
  credentialListValue,
  credentialValue,
  tokenFailuresExample,
  tokenFailuresValue,
} from "../../services/auth-token/credential/credential.schemas.ts";
import {
  loginBody,
  sessionExample,
  sessionValue,
} from "../../services/auth-token/session/session.schemas.ts";
import type { Route } from "../route.ts";
import { ANYONE, CHANGERS } from "./dashboard-roles.ts";

const session = {
  path: "/api/customer/v1/session",
  envelope: "dashboard",
  tag: "Session",
} as const;
const credentials = { auth: "user", envelope: "dashboard", tag: "API credentials" } as const;
const bodyExample = { certificate: "-----BEGIN CERTIFICATE-----\nMIID…\n-----END CERTIFICATE-----\n" };
const base = "/api/customer/v1/partner-profile/api-credentials";

export const dashboardAccessRoutes: readonly Route[] = [
  {
    ...session,
    method: "POST",
    action: "auth-token.login",
    auth: "none",
    limit: "none",
    body: "json",
    doc: {
      summary: "Sign in",
      description:
        "Sets the session cookie: 30 minutes idle, 12 hours in all. An unknown email and a wrong password look the same. Too many wrong logins are answered 429 with Retry-After for a while.",
      body: loginBody,
      bodyExample: { email: "owner@acme.example", password: "correct horse battery staple" },
      value: sessionValue,
      valueExample: sessionExample,
      errors: [
        "ValidationControl.Error",
        "Session.InvalidCredentials",
        "Request.CrossSite",
        "Request.RateLimited",
      ],
    },
  },
  {
    ...session,
    method: "GET",
    action: "auth-token.describeSession",
    auth: "session",
    limit: "read",
    body: "none",
    doc: {
      summary: "Who is signed in",
      value: sessionValue,
      valueExample: sessionExample,
    },
  },
  {
    ...session,
    method: "DELETE",
    action: "auth-token.logout",
    auth: "session",
    limit: "none",
    body: "none",
    doc: {
      summary: "Sign out",
      description: "Ends the session on the server and clears the cookie.",
      value: { type: "null" },
    },
  },
  {
    ...credentials,
    method: "GET",
    path: base,
    action: "auth-token.listCredentials",
    roles: ANYONE,
    limit: "read",
    body: "none",
    doc: {
      summary: "The API client of the partner",
      description: "The client in force first, then those revoked.",
      value: credentialListValue,
      valueExample: { items: [credentialExample] },
    },
  },
  {
    ...credentials,
    method: "POST",
    path: base,
    action: "auth-token.createCredential",
    roles: CHANGERS,
    limit: "write",
    body: "json",
    doc: {
      summary: "Make the API client with its first certificate",
      description:
        "A partner has one API client. After a revoke this makes it anew, with the same client id.",
      body: certificateBody,
      bodyExample,
      value: credentialValue,
      valueExample: credentialExample,
      errors: ["Certificate.Invalid", "ApiCredential.Exists"],
    },
  },
  {
    ...credentials,
    method: "POST",
    path: `${base}/:credentialId/certificates`,
    action: "auth-token.addCertificate",
    roles: CHANGERS,
    limit: "write",
    body: "json",
    doc: {
      summary: "Add a certificate, for rotation",
      description: "At most two certificates are in force at once; tokens can be had with either.",
      body: certificateBody,
      bodyExample,
      value: credentialValue,
      valueExample: credentialExample,
      errors: ["Certificate.Invalid", "Certificate.LimitReached", "ApiCredential.NotFound"],
    },
  },
  {
    ...credentials,
    method: "DELETE",
    path: `${base}/:credentialId/certificates/:thumbprint`,
    action: "auth-token.removeCertificate",
    roles: CHANGERS,
    limit: "write",
    body: "none",
    doc: {
      summary: "Remove a certificate",
      value: credentialValue,
      valueExample: { ...credentialExample, certificates: [] },
      errors: ["Certificate.NotFound", "ApiCredential.NotFound"],
    },
  },
  {
    ...credentials,
    method: "POST",
    path: `${base}/:credentialId/revoke`,
    action: "auth-token.revokeCredential",
    roles: CHANGERS,
    limit: "write",
    body: "none",
    doc: {
      summary: "Revoke the API client",
      description: "No more tokens at once; tokens already issued are refused within five seconds.",
      value: credentialValue,
      valueExample: { ...credentialExample, status: "Revoked", revokedAt: "2026-01-16T08:00:00.000Z" },
      errors: ["ApiCredential.NotFound"],
    },
  },
  {
    ...credentials,
    method: "GET",
    path: `${base}/:credentialId/token-failures`,
    action: "auth-token.listTokenFailures",
    roles: ANYONE,
    limit: "read",
    body: "none",
    doc: {
      summary: "Why recent token requests were refused",
      description: "The last 50, newest first. The token endpoint itself never tells the reason.",
      value: tokenFailuresValue,
      valueExample: tokenFailuresExample,
      errors: ["ApiCredential.NotFound"],
    },
  },
];
