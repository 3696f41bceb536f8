/** Judges a change of a country's rules. */

import { AppError, INVALID, type Violation } from "../../../shared/errors.ts";
import { compileCheck } from "../../../shared/input/validation.ts";
import { isStorable } from "../record/text.rules.ts";
import { configChangeSchema } from "./config.schemas.ts";
import { isCountry } from "./countries.rules.ts";
import { type DocumentRuleInput, documentRule } from "./country-config.rules.ts";
import { compilePattern, PatternError } from "./pattern.rules.ts";

/** Undefined fields stay as they are. */
export type ConfigChange = ReturnType<typeof readConfigChange>;

type Raw = {
  documents?: DocumentRuleInput[] | null;
  active?: boolean | null;
  validFrom?: string | null;
  validTo?: string | null;
  reason?: string | null;
};

const check = compileCheck(configChangeSchema, INVALID);

export function readConfigChange(countryCode: string, body: unknown) {
  if (!isCountry(countryCode))
    throw new AppError("Country.NotFound", `${countryCode} is not an ISO 3166-1 alpha-3 code.`, {}, 404);
  const shape = check(body);
  const raw = (shape.length > 0 ? {} : body) as Raw;
  const details = [...shape, ...documentViolations(raw.documents ?? []), ...otherViolations(raw)];
  const [first] = details;
  if (first) {
    const message = first.field ? `${first.field}: ${first.message}` : first.message;
    throw new AppError(INVALID, message, { details });
  }
  return {
    documents: raw.documents?.map(documentRule),
    active: raw.active ?? undefined,
    validFrom: timeOf(raw.validFrom),
    validTo: timeOf(raw.validTo),
    reason: raw.reason ?? "",
  };
}

const timeOf = (value: string | null | undefined): string | undefined =>
  value ? new Date(value).toISOString() : undefined;

function documentViolations(documents: readonly DocumentRuleInput[]): Violation[] {
  const seen = new Set<string>();
  return documents.flatMap(({ identityTypeCode, pattern }, index) => {
    const found: Violation[] = [];
    const say = (field: string, message: string) =>
      found.push({ field: `documents[${index}].${field}`, code: INVALID, message });
    if (seen.has(identityTypeCode)) say("identityTypeCode", "appears twice");
    seen.add(identityTypeCode);
    const problem = patternProblem(pattern);
    if (problem) say("pattern", problem);
    return found;
  });
}

function patternProblem(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function otherViolations({ validFrom, validTo, reason }: Raw): Violation[] {
  const found: Violation[] = [];
  const say = (field: string, message: string) => found.push({ field, code: INVALID, message });
  for (const [field, value] of Object.entries({ validFrom, validTo }))
    if (value && Number.isNaN(Date.parse(value))) say(field, "must be an ISO 8601 time");
  if (validFrom && validTo && Date.parse(validTo) <= Date.parse(validFrom))
    say("validTo", "must be after validFrom");
  if (reason && !isStorable(reason)) say("reason", "holds a NUL or an incomplete Unicode character");
  return found;
}
