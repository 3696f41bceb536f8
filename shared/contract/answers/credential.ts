/** A partner's API client: certificates, requests, refused token requests, and the sandbox. */
import {
  type Answer,
  count,
  described,
  flag,
  id,
  list,
  number,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";

export const credentialValue = record({
  id,
  clientId: described(text, "iss and sub of your client assertions; never changes."),
  status: oneOf(["Active", "Revoked"]),
  createdAt: time,
  revokedAt: orNull(time),
  certificates: list(
    record({
      thumbprint: described(text, "SHA-256 of the certificate in base64url, as in x5t#S256."),
      subject: text,
      notBefore: time,
      notAfter: time,
    }),
  ),
});
export type CredentialView = Answer<typeof credentialValue>;
export type CredentialStatus = CredentialView["status"];

export const credentialListValue = record({ items: list(credentialValue) });

export const tokenFailuresValue = record({
  items: list(record({ at: time, reason: text, message: text, requestId: text })),
});

export const credentialExample = {
  id: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
  clientId: "acme-trading-ltd-3f2a9c1d4b5e",
  status: "Active",
  createdAt: "2026-01-15T10:00:00.000Z",
  revokedAt: null,
  certificates: [
    {
      thumbprint: "LvVyHEfVtLm36TVg1Uk8xUs0rqyhzvwu3tm9Z_Z6fqo",
      subject: "CN=Acme Trading Ltd",
      notBefore: "2026-01-15T09:59:00.000Z",
      notAfter: "2028-01-15T09:59:00.000Z",
    },
  ],
};

export const tokenFailuresExample = {
  items: [
    {
      at: "2026-01-15T10:05:00.000Z",
      reason: "Expired",
      message: "The assertion expired 60 s ago.",
      requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
    },
  ],
};

const request = record({
  // UUID version 7: the id is the order.
  id,
  at: time,
  method: text,
  route: described(text, "The path as in the reference, without ids."),
  status: number,
  code: described(orNull(text), "The error code."),
  fields: described(list(text), "Names of the invalid fields, never their values."),
  requestId: text,
  durationMs: count,
});
export type LoggedRequest = Answer<typeof request>;

export const requestLogValue = record({
  items: list(request),
  nextCursor: described(orNull(text), "null on the last page."),
  dropped: described(count, "Requests of the last seven days that exceeded the limits of the log."),
});

export const requestLogExample = {
  items: [
    {
      id: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      at: "2026-01-15T10:00:00.000Z",
      method: "POST",
      route: "/api/partner/v1/business-profiles",
      status: 400,
      code: "ValidationControl.Error",
      fields: ["businessPersonList[0].nationality"],
      requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
      durationMs: 12,
    },
  ],
  nextCursor: null,
  dropped: 0,
};

export const sandboxValue = record({
  partnerId: described(id, "Id of the test partner; its customers and events have it."),
  name: text,
  clientId: described(text, "Id of its API client, after a certificate was registered."),
  active: flag,
  createdAt: time,
});
export type SandboxView = Answer<typeof sandboxValue>;

export const sandboxExample = {
  partnerId: "8c6f2d1e-3b4a-4c5d-9e8f-0a1b2c3d4e5f",
  name: "Acme Trading Ltd (test)",
  clientId: "acme-trading-ltd-test-8c6f2d1e3b4a",
  active: true,
  createdAt: "2026-01-10T09:00:00.000Z",
};
