/** Judges a correction of a person: named fields are judged as in a create, the others stay. */
import { INVALID, type Violation } from "../../../shared/errors.ts";
import { compileUnknown } from "../../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../../shared/input/validation.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { livePeople } from "../record/people.rules.ts";
import type { PersonInput, Profile } from "../record/profile.types.ts";
import { foldedEmail } from "../record/text.rules.ts";
import { businessViolations } from "./business.rules.ts";
import { clampLists } from "./clamp.rules.ts";
import { withKnown } from "./known-person.rules.ts";
import { type PeopleContext, toPerson } from "./people.rules.ts";
import { personListSchema, personPatchSchema, SHOWN_OF_PERSON } from "./profile.schemas.ts";
import { codeOf, compileNulls, type Judged, judged, refused } from "./profile-input.rules.ts";
import { peopleWarnings } from "./warnings.rules.ts";

const checkList = compileCheck(personListSchema, codeOf);
const checkBody = compileCheck(personPatchSchema, INVALID);
const unknownInBody = compileUnknown(personPatchSchema, SHOWN_OF_PERSON);
const nullsIn = compileNulls(personPatchSchema, () => INVALID);

/** `stored` is the person as it was sent, with its numbers. */
export function judgePerson(
  body: unknown,
  profile: Profile,
  stored: PersonInput,
  context: PeopleContext,
): Judged<PersonInput> {
  if (!isRecord(body)) return refused(checkBody(body));
  const merged = withKnown({ ...stored, ...body }, stored);
  const { raw, violations: found } = clampLists({ businessPersonList: [merged] }, INVALID);
  const [person] = raw.businessPersonList as [Raw];
  found.push(...checkList(raw), ...businessViolations(raw, personListSchema, INVALID, context));
  const touched = touchedBy(body, stored);
  const rootOf = ({ field }: Violation) => String(field.split(/[.[]/, 1)[0]);
  const isTouched = (one: Violation) => touched.has(rootOf(one));
  const nulls = nullsIn(body);
  const nulled = new Set(nulls.map(({ field }) => field));
  const violations = [
    ...nulls,
    ...found.map(ownField).filter((one) => isTouched(one) && !nulled.has(rootOf(one))),
    ...emailViolation(body, profile, stored),
  ];
  const warnings = [
    ...unknownInBody(body),
    ...peopleWarnings([person], context).map(ownField).filter(isTouched),
  ];
  return judged(violations, warnings, context, () => {
    const read = toPerson(person, context);
    const identities = touched.has("identities") ? read.identities : stored.identities;
    return { ...read, uboId: stored.uboId, identities };
  });
}

/** Another residence has other rules for identities; another kind of ownership may need a share. */
function touchedBy(body: Raw, { address }: PersonInput): ReadonlySet<string> {
  const touched = new Set(Object.keys(body));
  if (isRecord(body.address) && body.address.countryCode !== address.countryCode) touched.add("identities");
  if (touched.has("ownershipType")) touched.add("percentageShare");
  return touched;
}

/** The list is ours; the body is the person. */
const ownField = (violation: Violation): Violation => ({
  ...violation,
  field: violation.field.replace(/^businessPersonList\[0\]\.?/, ""),
});

function emailViolation({ email }: Raw, { people }: Profile, { uboId }: PersonInput): Violation[] {
  const isTaken = (other: string) => typeof email === "string" && foldedEmail(email) === foldedEmail(other);
  if (!livePeople(people).some((person) => person.uboId !== uboId && isTaken(person.email))) return [];
  const message = "belongs to another person of this customer";
  return [{ field: "email", code: INVALID, message, rule: "Person.EmailDuplicate" }];
}
