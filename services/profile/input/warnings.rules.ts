/** Warnings of a body: part of the success, refused when the caller is strict. */
import type { Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { identityRemarks } from "../country/identity.rules.ts";
import type { PeopleContext } from "./people.rules.ts";

const LIST = "businessPersonList";

export const peopleWarnings = (people: readonly unknown[], context: PeopleContext): Violation[] =>
  people.flatMap((person, index) =>
    isRecord(person) ? personWarnings(person, `${LIST}[${index}].`, context) : [],
  );

/** The prefix is empty where the body is the person. */
function personWarnings(person: Raw, prefix: string, context: PeopleContext): Violation[] {
  const { ownershipType, percentageShare, identities, address } = person;
  const found: Violation[] = [];
  if (Array.isArray(ownershipType) && ownershipType.includes("UBO") && (percentageShare ?? null) === null)
    found.push({
      field: `${prefix}percentageShare`,
      code: "Person.ShareMissing",
      message: "is not given, although the person is a UBO",
    });
  if (Array.isArray(identities) && isRecord(address))
    for (const [index, identity] of identities.entries())
      if (isRecord(identity) && hasWrongCheckDigit(identity, address, context))
        found.push({
          field: `${prefix}identities[${index}].identityValue`,
          code: "Identity.CheckDigit",
          message: "has a check digit that does not fit the number",
        });
  return found;
}

function hasWrongCheckDigit(
  identity: Raw,
  { countryCode }: Raw,
  { countries, today }: PeopleContext,
): boolean {
  const { identityTypeCode: type, issuingCountry: issuer, identityValue: value } = identity;
  const residence = typeof countryCode === "string" ? countries.inForce(countryCode) : undefined;
  if (!residence || typeof type !== "string" || typeof issuer !== "string" || typeof value !== "string")
    return false;
  return identityRemarks(type, issuer, value, { residence, rulesOf: countries.latest, today }).length > 0;
}

export const NOBODY_NAMED: Violation = {
  field: LIST,
  code: "People.Missing",
  message: "names nobody; a review needs the people who own and run the business",
};
