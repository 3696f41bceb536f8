/** The bodies of a sign-in and of changes to the own account. */
import type { ValidationSchema } from "../../../shared/input/validation.ts";

/** Generous: a wrong login must look like one, not like a malformed request. */
export const loginBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  password: { type: "string", empty: false, max: 1024 },
  code: { type: "string", optional: true, empty: false, max: 64 },
};

const code = { type: "string", empty: false, max: 64 } as const;

export const passwordBody: ValidationSchema = {
  currentPassword: { type: "string", empty: false, max: 1024 },
  newPassword: { type: "string", min: 8, max: 256 },
  code: { ...code, optional: true },
};

export const codeBody: ValidationSchema = { code };

/** A code of the current second factor or a recovery code; a person without a factor sends none. */
export const formerCodeBody: ValidationSchema = { code: { ...code, optional: true } };
