/** The session and the account of a person who signed in to the dashboard. */
import {
  type Answer,
  count,
  described,
  flag,
  id,
  list,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";

export const secondFactorValue = record({
  enabled: flag,
  required: described(
    flag,
    "true when the role needs a second factor. Without it, only the session routes can be used.",
  ),
  since: orNull(time),
  recoveryCodesLeft: count,
});
export const secondFactorExample = {
  enabled: true,
  required: true,
  since: "2026-01-15T10:00:00.000Z",
  recoveryCodesLeft: 10,
};

export const newSecondFactorValue = record({
  secret: described(text, "Base32 secret to type into an authenticator app."),
  uri: described(text, "The same secret for a QR code."),
});
export const newSecondFactorExample = {
  secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  uri: "otpauth://totp/Partner%20Onboarding%3Aowner%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Partner%20Onboarding",
};

export const recoveryCodesValue = record({
  recoveryCodes: described(list(text), "Each replaces a code once. Shown only in this answer."),
});
export const recoveryCodesExample = { recoveryCodes: ["JBSW-Y3DP-EHPK-3PXP", "MFRG-GZDF-MZTW-Q2LK"] };

export const sessionListValue = record({
  items: list(
    record({
      sessionId: described(text, "Identifies the session; it cannot be used to sign in."),
      createdAt: time,
      lastSeenAt: time,
      expiresAt: described(time, "End of the session if it stays idle."),
      isCurrent: described(flag, "true for the session of this request."),
    }),
  ),
});
export type OwnSession = Answer<typeof sessionListValue>["items"][number];

export const sessionListExample = {
  items: [
    {
      sessionId: "vCn3yTcVq3o0wJ3m1w0h0x0Yh1o9m0v7Zt3b9l0Q2sA",
      createdAt: "2026-01-15T09:00:00.000Z",
      lastSeenAt: "2026-01-15T10:00:00.000Z",
      expiresAt: "2026-01-15T10:30:00.000Z",
      isCurrent: true,
    },
  ],
};
export const endedSessionsValue = record({ ended: described(count, "Number of ended sessions.") });

export const sessionValue = record({
  user: record({
    email: text,
    role: oneOf(["Owner", "Developer", "Viewer", "Analyst"]),
    isLead: described(flag, "true for an analyst who can release the claims of colleagues."),
  }),
  partner: orNull(record({ partnerId: id, name: text })),
  expiresAt: described(time, "End of the session if it stays idle."),
});
export type SessionView = Answer<typeof sessionValue>;

export const sessionExample = {
  user: { email: "owner@acme.example", role: "Owner", isLead: false },
  partner: { partnerId: "3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c", name: "Acme Trading Ltd" },
  expiresAt: "2026-01-15T10:30:00.000Z",
};
