/** The rules for the email and the role of a person. */
import { TEAM_ROLES } from "../../../shared/contract/vocabularies.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Role } from "../../../shared/identity/caller.ts";

const CODE = "ValidationControl.Error";

/** Refuses one property of a body and names it in `details`, so that a form shows the refusal there. */
export const refusedField = (field: string, message: string): AppError =>
  new AppError(CODE, message, { details: [{ field, code: CODE, message }] });

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const EMAIL_LENGTH = 255;
/** Control characters, marks of direction, joiners and fillers: two emails that look the same would be two people. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** As emails are stored and compared: in Unicode's composed form and in lower case. */
export const comparedEmail = (email: string): string => email.normalize("NFC").toLowerCase().normalize("NFC");

export function normalEmail(value: unknown): string {
  const email = typeof value === "string" && value.length <= EMAIL_LENGTH ? comparedEmail(value) : "";
  if (email.length > EMAIL_LENGTH || !EMAIL.test(email) || INVISIBLE.test(email))
    throw refusedField("email", "The email is not valid.");
  return email;
}

export function partnerRole(value: unknown): Role {
  const role = TEAM_ROLES.find((each) => each === value);
  if (!role) throw refusedField("role", `The role must be one of ${TEAM_ROLES.join(", ")}.`);
  return role;
}
