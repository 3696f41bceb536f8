/** What signing in takes and shows, for the API document. */
import { described, id, oneOf, orNull, record, text, time } from "../../../shared/answer-schema.ts";
import type { ValidationSchema } from "../../../shared/validation.ts";

/** Generous: a wrong login must look like one, not like a malformed request. */
export const loginBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  password: { type: "string", empty: false, max: 1024 },
};

export const sessionValue = record({
  user: record({ email: text, role: oneOf(["Owner", "Developer", "Viewer", "Analyst"]) }),
  partner: orNull(record({ partnerId: id, name: text })),
  expiresAt: described(time, "when the session ends if nothing more is done in it"),
});

export const sessionExample = {
  user: { email: "owner@acme.example", role: "Owner" },
  partner: { partnerId: "3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c", name: "Acme Trading Ltd" },
  expiresAt: "2026-01-15T10:30:00.000Z",
};
