/** What the email and the role of a person may be. */
import { AppError } from "../../../shared/errors.ts";
import type { Role } from "../../../shared/identity/caller.ts";

const PARTNER_ROLES: readonly Role[] = ["Owner", "Developer", "Viewer"];

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const EMAIL_LENGTH = 255;

/** Emails are compared in lower case. */
export function normalEmail(value: unknown): string {
  if (typeof value !== "string" || value.length > EMAIL_LENGTH || !EMAIL.test(value))
    throw new AppError("ValidationControl.Error", "The email is not valid.");
  return value.toLowerCase();
}

export function partnerRole(value: unknown): Role {
  const role = PARTNER_ROLES.find((each) => each === value);
  if (!role)
    throw new AppError("ValidationControl.Error", `The role must be one of ${PARTNER_ROLES.join(", ")}.`);
  return role;
}
