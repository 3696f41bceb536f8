/** Checks an identity against the documents that the country of residence accepts. */

import { INVALID, type Violation } from "../../../shared/errors.ts";
import type { Raw } from "../../../shared/is-record.ts";
import { isCalendarDay, isMasked } from "../record/text.rules.ts";
import { CHECKS } from "./check-digits.rules.ts";
import { isCountry } from "./countries.rules.ts";
import { documentRule, formatMessage, GENERAL_PATTERN } from "./country-config.rules.ts";
import type { CompiledRule, CountryRules } from "./country-directory.rules.ts";
import { compilePattern } from "./pattern.rules.ts";

export type IdentityContext = {
  /** Undefined where there is no active configuration: no rule for the number, dates are checked all the same. */
  residence: CountryRules | undefined;
  /** The rules of another country, for a passport it issued. */
  rulesOf(countryCode: string): CountryRules | undefined;
  /** YYYY-MM-DD in UTC. */
  today: string;
};

export const MASKED = "is the masked value that reads show; send the number itself";
const CHECK_DIGIT_REMARK = "Identity.CheckDigit";

const generalPassport: CompiledRule = {
  rule: documentRule({ identityTypeCode: "PASSPORT", pattern: GENERAL_PATTERN }),
  pattern: compilePattern(GENERAL_PATTERN),
};

/** The violations of a single identity; fields of a wrong shape are left to the shape check. */
export function identityViolations(
  identity: Raw,
  path: string,
  { residence, rulesOf, today }: IdentityContext,
): Violation[] {
  const found: Violation[] = [];
  const say: Say = (field, rule, message) =>
    found.push({ field: `${path}.${field}`, code: INVALID, message, rule: `Identity.${rule}` });
  if (residence) ruleProblems(identity, residence, rulesOf, say);
  dateProblems(identity, today, say);
  return found;
}

type RulesOf = IdentityContext["rulesOf"];

function ruleProblems(identity: Raw, residence: CountryRules, rulesOf: RulesOf, say: Say): void {
  const { identityTypeCode: type, issuingCountry, identityValue } = identity;
  const { countryCode, documents } = residence;
  if (typeof type !== "string") return;
  const rule = documents.get(type)?.rule;
  if (!rule) {
    say("identityTypeCode", "TypeNotAccepted", typeProblem(type, residence));
    return;
  }
  const issuer = typeof issuingCountry === "string" && isCountry(issuingCountry) ? issuingCountry : null;
  const isOwnOnly = rule.issuingCountryRule === "ResidenceOnly";
  if (isOwnOnly && issuer !== null && issuer !== countryCode)
    say("issuingCountry", "IssuerNotAccepted", `must be ${countryCode}, the country of residence`);
  // Only a passport of an unknown issuer has no rule for its number.
  const numberedBy = isOwnOnly || type !== "PASSPORT" ? countryCode : issuer;
  if (numberedBy !== null)
    numberProblem(identityValue, numberRule(type, numberedBy, residence, rulesOf), say);
  if (rule.requiresIssueDate && isAbsent(identity.issueDate))
    say("issueDate", "DateMissing", "is required for this document");
  if (rule.requiresExpiryDate && isAbsent(identity.expiryDate))
    say("expiryDate", "DateMissing", "is required for this document");
}

const typeProblem = (type: string, { countryCode, documents }: CountryRules): string =>
  type === "NATIONAL_ID"
    ? "is spelt NATIOANL_ID on this interface"
    : `is not accepted from people living in ${countryCode}; use ${[...documents.keys()].join(", ")}`;

/** Remarks for the analyst that do not refuse the identity. */
export function identityRemarks(
  type: string,
  issuer: string,
  value: string,
  { residence, rulesOf }: IdentityContext,
): string[] {
  if (!residence) return [];
  const numbered = numberRule(type, issuer, residence, rulesOf);
  const { check, checkRefuses } = numbered.rule;
  if (!check || checkRefuses) return [];
  return CHECKS[check](normalised(value, numbered) ?? value) ? [] : [CHECK_DIGIT_REMARK];
}

/** As it is stored: as given where the rule takes it, else in upper case, else without blanks. */
export const storedNumber = (
  type: string,
  issuer: string,
  value: string,
  { residence, rulesOf }: IdentityContext,
): string => (residence && normalised(value, numberRule(type, issuer, residence, rulesOf))) ?? value;

/** Null when the rule takes it in none of these forms. */
function normalised(value: string, { pattern }: Pick<CompiledRule, "pattern">): string | null {
  if (pattern.test(value)) return value;
  const upper = value.trim().toUpperCase();
  return [upper, upper.replaceAll(/\s+/g, "")].find(pattern.test) ?? null;
}

type NumberRule = CompiledRule & { countryCode: string };

/** A passport follows its issuer; everything else the country of residence. */
function numberRule(type: string, issuer: string, residence: CountryRules, rulesOf: RulesOf): NumberRule {
  if (type === "PASSPORT" && issuer !== residence.countryCode) {
    const issued = rulesOf(issuer)?.documents.get("PASSPORT");
    return { ...(issued ?? generalPassport), countryCode: issuer };
  }
  const own = residence.documents.get(type) ?? generalPassport;
  return { ...own, countryCode: residence.countryCode };
}

/** The rule is named without "Identity." */
type Say = (field: string, rule: string, message: string) => void;

function numberProblem(value: unknown, { rule, pattern, countryCode }: NumberRule, say: Say): void {
  if (typeof value !== "string" || value === "") return;
  const number = normalised(value, { pattern });
  if (isMasked(value)) say("identityValue", "Masked", MASKED);
  else if (number === null) say("identityValue", "Format", formatMessage(rule, countryCode));
  else if (rule.check && rule.checkRefuses && !CHECKS[rule.check](number))
    say("identityValue", "CheckDigit", "has a check digit that does not fit the number");
}

function dateProblems({ issueDate: issue, expiryDate: expiry }: Raw, today: string, say: Say): void {
  if (isDay(issue) && issue > today) say("issueDate", "IssuedInFuture", "must not be in the future");
  if (isDay(expiry) && expiry <= today) say("expiryDate", "Expired", "must be in the future");
  if (isDay(issue) && isDay(expiry) && expiry <= issue)
    say("expiryDate", "DatesTurned", "must be after issueDate");
}

export const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isDay = (value: unknown): value is string => typeof value === "string" && isCalendarDay(value);
