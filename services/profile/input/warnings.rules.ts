/** Warnings of a body: part of the success, refused when the caller is strict. */
import type { Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { type IdentityContext, identityRemarks, isAbsent } from "../country/identity.rules.ts";
import { identityContext, LIST, type PeopleContext } from "./people.rules.ts";

export const peopleWarnings = (people: readonly unknown[], context: PeopleContext): Violation[] =>
  people.flatMap((person, index) =>
    isRecord(person) ? personWarnings(person, `${LIST}[${index}]`, context) : [],
  );

function personWarnings(person: Raw, path: string, context: PeopleContext): Violation[] {
  const { ownershipType, percentageShare, identities, address } = person;
  const found: Violation[] = [];
  if (Array.isArray(ownershipType) && ownershipType.includes("UBO") && isAbsent(percentageShare))
    found.push({
      field: `${path}.percentageShare`,
      code: "Person.ShareMissing",
      message: "is not given, although the person is a UBO",
    });
  if (!Array.isArray(identities)) return found;
  const rules = identityContext(address, context);
  for (const [index, identity] of identities.entries())
    if (isRecord(identity) && hasWrongCheckDigit(identity, rules))
      found.push({
        field: `${path}.identities[${index}].identityValue`,
        code: "Identity.CheckDigit",
        message: "has a check digit that does not fit the number",
      });
  return found;
}

function hasWrongCheckDigit(identity: Raw, rules: IdentityContext): boolean {
  const { identityTypeCode: type, issuingCountry: issuer, identityValue: value } = identity;
  if (typeof type !== "string" || typeof issuer !== "string" || typeof value !== "string") return false;
  return identityRemarks(type, issuer, value, rules).length > 0;
}

export const NOBODY_NAMED: Violation = {
  field: LIST,
  code: "People.Missing",
  message: "names no person; a review needs the people who own and run the business",
};
