/** The people of a team, for the API document. */
import { described, id, list, oneOf, orNull, record, text, time } from "../../../shared/answer-schema.ts";
import type { ValidationSchema } from "../../../shared/validation.ts";

const ROLES = ["Owner", "Developer", "Viewer"];

export const roleBody: ValidationSchema = { role: { type: "enum", values: ROLES } };

export const memberValue = record({
  userId: id,
  email: text,
  role: oneOf(ROLES),
  createdAt: time,
  disabledAt: described(orNull(time), "null while the person may sign in"),
});
export const teamValue = record({ items: list(memberValue) });

export const memberExample = {
  userId: "7b1d2c3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  email: "dev@acme.example",
  role: "Developer",
  createdAt: "2026-01-10T09:00:00.000Z",
  disabledAt: null,
};
