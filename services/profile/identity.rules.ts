/** One identity against the documents that the person's country of residence accepts. */
import type { Violation } from "../../shared/errors.ts";
import { CHECKS } from "./check-digits.rules.ts";
import { isCountry } from "./countries.rules.ts";
import { type DocumentRule, documentRule, formatMessage, GENERAL_PATTERN } from "./country-config.rules.ts";
import type { CountryRules } from "./country-directory.rules.ts";
import { isCalendarDay } from "./text.rules.ts";

export type RawIdentity = Readonly<Record<string, unknown>>;

export type IdentityContext = {
  residence: CountryRules;
  /** The rules of another country, for a passport it issued. */
  rulesOf(countryCode: string): CountryRules | undefined;
  /** YYYY-MM-DD in UTC. */
  today: string;
};

export const CHECK_DIGIT_REMARK = "Identity.CheckDigit";

const CODE = "ValidationControl.Error";
const generalPassport = documentRule({ identityTypeCode: "PASSPORT", pattern: GENERAL_PATTERN });
const GENERAL_REGEX = new RegExp(GENERAL_PATTERN);

/** The violations of a single identity; fields of a wrong shape are left to the shape check. */
export function identityViolations(
  identity: RawIdentity,
  path: string,
  context: IdentityContext,
): Violation[] {
  const type = identity.identityTypeCode;
  if (typeof type !== "string") return [];
  const found: Violation[] = [];
  const say = (field: string, message: string, code = CODE) =>
    found.push({ field: `${path}.${field}`, code, message });

  const accepted = context.residence.documents.get(type);
  if (type === "NATIONAL_ID") say("identityTypeCode", "is spelt NATIOANL_ID on this interface");
  else if (!accepted) {
    const types = [...context.residence.documents.keys()].join(", ");
    say(
      "identityTypeCode",
      `is not accepted from people living in ${context.residence.countryCode}; use ${types}`,
    );
  }
  if (!accepted) return found;

  const { rule } = accepted;
  const issuer = identity.issuingCountry;
  if (typeof issuer === "string" && isCountry(issuer)) {
    if (rule.issuingCountryRule === "ResidenceOnly" && issuer !== context.residence.countryCode)
      say("issuingCountry", `must be ${context.residence.countryCode}, the country of residence`);
    else numberProblem(identity.identityValue, numberRule(type, issuer, context), say);
  }
  dateProblems(identity, rule, context.today, say);
  return found;
}

/** What the analyst should know although it does not refuse the identity. */
export function identityRemarks(
  type: string,
  issuer: string,
  value: string,
  context: IdentityContext,
): string[] {
  const { rule } = numberRule(type, issuer, context);
  return rule.check && !rule.checkRefuses && !CHECKS[rule.check](value) ? [CHECK_DIGIT_REMARK] : [];
}

type NumberRule = { rule: DocumentRule; regex: RegExp; countryCode: string };

/** A passport follows its issuer; everything else the country of residence. */
function numberRule(type: string, issuer: string, { residence, rulesOf }: IdentityContext): NumberRule {
  if (type === "PASSPORT" && issuer !== residence.countryCode) {
    const issued = rulesOf(issuer)?.documents.get("PASSPORT");
    return { ...(issued ?? { rule: generalPassport, regex: GENERAL_REGEX }), countryCode: issuer };
  }
  const own = residence.documents.get(type) ?? { rule: generalPassport, regex: GENERAL_REGEX };
  return { ...own, countryCode: residence.countryCode };
}

type Say = (field: string, message: string) => void;

function numberProblem(value: unknown, { rule, regex, countryCode }: NumberRule, say: Say): void {
  if (typeof value !== "string" || value === "") return;
  if (value.length < rule.minLength || value.length > rule.maxLength || !regex.test(value))
    say("identityValue", formatMessage(rule, countryCode));
  else if (rule.check && rule.checkRefuses && !CHECKS[rule.check](value))
    say("identityValue", "has a check digit that does not fit the number");
}

function dateProblems(identity: RawIdentity, rule: DocumentRule, today: string, say: Say): void {
  const issue = identity.issueDate;
  const expiry = identity.expiryDate;
  if (rule.requiresIssueDate && isAbsent(issue)) say("issueDate", "is required for this document");
  if (rule.requiresExpiryDate && isAbsent(expiry)) say("expiryDate", "is required for this document");
  if (isDay(issue) && issue > today) say("issueDate", "must not be in the future");
  if (isDay(expiry) && expiry <= today) say("expiryDate", "must be in the future");
  if (isDay(issue) && isDay(expiry) && expiry <= issue) say("expiryDate", "must be after issueDate");
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isDay = (value: unknown): value is string => typeof value === "string" && isCalendarDay(value);
