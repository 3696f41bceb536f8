/** The API clients of a partner, and why its token requests were refused. */
import { type Answer, described, id, list, oneOf, orNull, record, text, time } from "../answer-schema.ts";

export const credentialValue = record({
  id,
  clientId: described(text, "iss and sub of your client assertions; never changes"),
  status: oneOf(["Active", "Revoked"]),
  createdAt: time,
  revokedAt: orNull(time),
  certificates: list(
    record({
      thumbprint: described(text, "SHA-256 of the certificate, base64url, as in x5t#S256"),
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
export type TokenFailureView = Answer<typeof tokenFailuresValue>["items"][number];

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
