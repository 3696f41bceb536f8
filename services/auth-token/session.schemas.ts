import type { ValidationSchema } from "../../shared/validation.ts";

/** Generous: a wrong login must look like one, not like a malformed request. */
export const loginBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  password: { type: "string", empty: false, max: 1024 },
};
