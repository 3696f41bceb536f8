/** Judges the body of an analyst's step. */
import type { ChangeRequest, Decision } from "../../../shared/contract/answers/verification.ts";
import type { IdentityType, TargetKind } from "../../../shared/contract/vocabularies.ts";
import { INVALID, type Violation } from "../../../shared/errors.ts";
import { type Check, compileCheck } from "../../../shared/input/validation.ts";
import { TARGET_FIELDS } from "../change/change-requests.rules.ts";
import { refuse } from "../input/violations.rules.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { isStorableThroughout } from "../record/text.rules.ts";
import { approveSchema, noteSchema, rejectSchema, requestChangesSchema } from "./case.schemas.ts";

const checkRequest = compileCheck(requestChangesSchema, INVALID);
const checkApprove = compileCheck(approveSchema, INVALID);
const checkNote = compileCheck(noteSchema, INVALID);
const checkReject = compileCheck(rejectSchema, INVALID);

export type RequestedChange = Pick<ChangeRequest, "target" | "reasonCode" | "message">;

type RawTarget = { kind: TargetKind } & Partial<
  Record<"uboId" | "documentCategory" | "field" | "issuingCountry", string | null>
> & { identityTypeCode?: IdentityType | null };
type RawItem = Omit<RequestedChange, "target"> & { target: RawTarget };

export function readRequestedChanges(body: unknown, profile: Profile): RequestedChange[] {
  const { items } = checked<{ items: RawItem[] }>(checkRequest, body);
  const people = new Map(livePeople(profile.people).map((person) => [person.uboId, person]));
  const faults = items.flatMap(({ target }, index) =>
    targetViolations(target, `items[${index}].target`, people),
  );
  if (faults.length > 0) throw refuse(faults);
  return items.map(({ target, reasonCode, message }) => ({
    target: {
      kind: target.kind,
      uboId: target.uboId?.toLowerCase() ?? null,
      documentCategory: target.documentCategory ?? null,
      field: target.field ?? null,
      ...(target.identityTypeCode ? { identityTypeCode: target.identityTypeCode } : {}),
      ...(target.issuingCountry ? { issuingCountry: target.issuingCountry } : {}),
    },
    reasonCode,
    message,
  }));
}

/** A request must name a person of the customer and a field that a change can answer. */
function targetViolations(target: RawTarget, path: string, people: ReadonlyMap<string, Person>): Violation[] {
  const { kind, uboId, field } = target;
  const found: Violation[] = [];
  const isGiven = uboId !== undefined && uboId !== null;
  if (isGiven && !people.has(uboId.toLowerCase()))
    found.push({ field: `${path}.uboId`, code: INVALID, message: "is not a person of this customer" });
  const names = TARGET_FIELDS[kind];
  if (field && !names.includes(field))
    found.push({
      field: `${path}.field`,
      code: INVALID,
      message: `must, for ${kind}, be one of ${names.join(", ")}`,
    });
  return [...found, ...identityViolations(target, path, people.get(uboId?.toLowerCase() ?? ""))];
}

/** An identity is named by its type, and by its country where a person has two of a type. */
function identityViolations(
  { kind, identityTypeCode, issuingCountry }: RawTarget,
  path: string,
  person: Person | undefined,
): Violation[] {
  const field = identityTypeCode ? "identityTypeCode" : "issuingCountry";
  const refused = (message: string) => [{ field: `${path}.${field}`, code: INVALID, message }];
  if (!identityTypeCode && !issuingCountry) return [];
  if (kind !== "Identity") return refused("is only for kind Identity");
  if (!identityTypeCode) return refused("needs identityTypeCode");
  if (!person) return refused("needs the uboId of a person of this customer");
  const isThere = person.identities.some(
    (each) =>
      each.identityTypeCode === identityTypeCode &&
      (!issuingCountry || each.issuingCountry === issuingCountry),
  );
  return isThere ? [] : refused("is not an identity of this person");
}

export function readNote(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  return checked<{ note?: string | null }>(checkApprove, body).note ?? null;
}

export const readNoteText = (body: unknown): string => checked<{ text: string }>(checkNote, body).text;

export function readReasons(body: unknown): Decision["reasons"] {
  const { reasons } = checked<Pick<Decision, "reasons">>(checkReject, body);
  return reasons.map(({ code, message }) => ({ code, message }));
}

/** The body, unless it is refused. */
export function checked<T>(check: Check, body: unknown): T {
  const faults = check(body);
  if (faults.length > 0) throw refuse(faults);
  if (!isStorableThroughout(body))
    throw refuse([
      { field: "", code: INVALID, message: "a text holds a NUL or an incomplete Unicode character" },
    ]);
  return body as T;
}
