/** Contradictions between the body of an update and the stored customer. Fields of a wrong shape are skipped. */
import { INVALID, type Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { foldedEmail } from "../record/text.rules.ts";
import { LIST } from "./people.rules.ts";
import { MAX_PEOPLE } from "./profile.schemas.ts";

export function referenceViolations({ partnerCustomerId: given }: Raw, profile: Profile): Violation[] {
  if (typeof given !== "string" || given === profile.partnerCustomerId) return [];
  const code = "Customer.PartnerCustomerIdInvalid";
  return [{ field: "partnerCustomerId", code, message: "cannot be changed" }];
}

/** PUT names stored people by their ids, each once. */
export function uboViolations(raw: Raw, profile: Profile): Violation[] {
  const known = new Set(livePeople(profile.people).map(({ uboId }) => uboId));
  const seen = new Set<string>();
  const found: Violation[] = [];
  for (const [index, given] of valuesOf(raw, "uboId").entries()) {
    if (typeof given !== "string") continue;
    const uboId = given.toLowerCase();
    const field = `${LIST}[${index}].uboId`;
    if (!known.has(uboId))
      found.push({ field, code: "Ubo.NotFound", message: "is not a person of this customer" });
    else if (seen.has(uboId)) found.push({ field, code: INVALID, message: "appears twice" });
    seen.add(uboId);
  }
  return found;
}

/** PATCH only adds people: none who is there already, and not too many. */
export function appendViolations(raw: Raw, profile: Profile): Violation[] {
  const given = valuesOf(raw, "email");
  if (given.length === 0) return [];
  const people = livePeople(profile.people);
  const emails = new Set(people.map(({ email }) => foldedEmail(email)));
  const found: Violation[] = [];
  const message = "belongs to a person of this customer already";
  for (const [index, email] of given.entries())
    if (typeof email === "string" && emails.has(foldedEmail(email)))
      found.push({ field: `${LIST}[${index}].email`, code: INVALID, message });
  if (people.length + given.length > MAX_PEOPLE)
    found.push({ field: LIST, code: INVALID, message: `a customer may have at most ${MAX_PEOPLE} people` });
  return found;
}

/** Values of a field for every person in the body, by position. */
function valuesOf({ businessPersonList: people }: Raw, field: string): unknown[] {
  return Array.isArray(people) ? people.map((person) => (isRecord(person) ? person[field] : undefined)) : [];
}
