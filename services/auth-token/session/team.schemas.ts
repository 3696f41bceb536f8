/** The bodies of changes to a team. */
import { TEAM_ROLES } from "../../../shared/contract/vocabularies.ts";
import type { ValidationSchema } from "../../../shared/input/validation.ts";

export const roleBody: ValidationSchema = { role: { type: "enum", values: [...TEAM_ROLES] } };

export const inviteBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  role: { type: "enum", values: [...TEAM_ROLES] },
};
export const acceptBody: ValidationSchema = {
  token: { type: "string", empty: false, max: 256 },
  password: { type: "string", min: 8, max: 256 },
};
