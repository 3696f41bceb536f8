/** Judges what an analyst sends with a step. */
import { AppError } from "../../shared/errors.ts";
import { type Check, compileCheck } from "../../shared/validation.ts";
import { approveSchema, rejectSchema, requestChangesSchema } from "./case.schemas.ts";
import type { ChangeTarget, Decision, Profile } from "./profile.types.ts";
import { isStorable } from "./text.rules.ts";
import type { TargetKind } from "./vocabularies.rules.ts";

const CODE = "ValidationControl.Error";
const checkRequest = compileCheck(requestChangesSchema, CODE);
const checkApprove = compileCheck(approveSchema, CODE);
const checkReject = compileCheck(rejectSchema, CODE);

export type RequestedChange = { target: ChangeTarget; reasonCode: string; message: string };

type RawTarget = { kind: TargetKind } & Partial<
  Record<"uboId" | "documentCategory" | "field", string | null>
>;
type RawItem = { target: RawTarget; reasonCode: string; message: string };

export function readRequestedChanges(body: unknown, profile: Profile): RequestedChange[] {
  pass(checkRequest, body);
  const { items } = body as { items: RawItem[] };
  for (const [index, { target }] of items.entries())
    if (target.uboId && !profile.people.some((person) => person.uboId === target.uboId))
      refuse(`items[${index}].target.uboId`, "is not a person of this customer");
  return items.map(({ target, reasonCode, message }) => ({
    target: {
      kind: target.kind,
      uboId: target.uboId ?? null,
      documentCategory: target.documentCategory ?? null,
      field: target.field ?? null,
    },
    reasonCode,
    message,
  }));
}

export function readNote(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  pass(checkApprove, body);
  return (body as { note?: string | null }).note ?? null;
}

export function readReasons(body: unknown): Decision["reasons"] {
  pass(checkReject, body);
  return (body as { reasons: Decision["reasons"] }).reasons.map(({ code, message }) => ({ code, message }));
}

function pass(check: Check, body: unknown): void {
  const details = check(body);
  const [first] = details;
  if (first)
    throw new AppError(CODE, first.field ? `${first.field}: ${first.message}` : first.message, { details });
  if (!hasStorableTexts(body)) refuse("", "a text holds a NUL or an incomplete Unicode character");
}

function hasStorableTexts(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  return value === null || typeof value !== "object" || Object.values(value).every(hasStorableTexts);
}

function refuse(field: string, message: string): never {
  throw new AppError(CODE, field ? `${field}: ${message}` : message, {
    details: [{ field, code: CODE, message }],
  });
}
