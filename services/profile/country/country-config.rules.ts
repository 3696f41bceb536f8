/** Identities that a country accepts of its residents: the source of the requirement list and of the check. */

import { BoundedMap } from "../../../shared/bounded-map.ts";
import type {
  CountryConfig,
  DocumentRule,
  IdentityRequirements,
} from "../../../shared/contract/answers/country.ts";
import type { IdentityType } from "../../../shared/contract/vocabularies.ts";
import { CHECKS, SAMPLES } from "./check-digits.rules.ts";
import { countryName } from "./countries.rules.ts";
import { patternOf } from "./country-directory.rules.ts";
import { compilePattern } from "./pattern.rules.ts";
import { exampleOf, formatInWords } from "./pattern-words.rules.ts";

/** For documents without a public format. */
export const GENERAL_PATTERN = "^[A-Z0-9][A-Z0-9 ./-]{3,24}$";

const TYPE_NAMES: Readonly<Record<IdentityType, string>> = {
  PASSPORT: "Passport",
  NATIOANL_ID: "National identity number",
  DRIVING_LICENCE: "Driving licence",
  IDENTITY_CARD: "Identity card",
  RESIDENCE_CARD: "Residence card",
  VOTER_CARD: "Voter card",
  BVN: "Bank Verification Number (BVN)",
  OTHERS: "Other document",
};

export const configOfSeed = (
  countryCode: string,
  documents: readonly DocumentRuleInput[],
  at: string,
): CountryConfig => ({
  countryCode,
  version: 1,
  active: true,
  validFrom: at,
  validTo: null,
  documents: documents.map(documentRule),
  changedBy: "seed",
  changedAt: at,
  reason: "first configuration",
});

export type DocumentRuleInput = Pick<DocumentRule, "identityTypeCode" | "pattern"> &
  Partial<Omit<DocumentRule, "minLength" | "maxLength">>;

/** Fills in what an operator leaves out. Throws a PatternError for a pattern that may not be used. */
export function documentRule(input: DocumentRuleInput): DocumentRule {
  const { min, max } = compilePattern(input.pattern);
  return {
    identityTypeCode: input.identityTypeCode,
    label: input.label ?? TYPE_NAMES[input.identityTypeCode],
    pattern: input.pattern,
    minLength: min,
    maxLength: max,
    requiresIssueDate: input.requiresIssueDate ?? false,
    requiresExpiryDate: input.requiresExpiryDate ?? false,
    requiresDocument: input.requiresDocument ?? false,
    issuingCountryRule: input.issuingCountryRule ?? "ResidenceOnly",
    check: input.check ?? null,
    checkRefuses: input.checkRefuses ?? false,
  };
}

/** The legacy entry shape, one entry per accepted document. */
export function requirementsOf(config: CountryConfig): IdentityRequirements {
  return {
    countryCode: config.countryCode,
    countryName: countryName(config.countryCode),
    configVersion: config.version,
    minimumIdentities: 1,
    items: config.documents.map((rule, index) => requirement(rule, config.countryCode, index + 1)),
  };
}

const requirement = (
  rule: DocumentRule,
  countryCode: string,
  displayOrder: number,
): IdentityRequirements["items"][number] => ({
  identityType: rule.label,
  identityTypeCode: rule.identityTypeCode,
  fieldName: "identityValue",
  inputType: "Input",
  isRequired: false,
  label: `${rule.label}: number`,
  placeholder: `As printed on the document, ${rule.minLength} to ${rule.maxLength} characters`,
  requiresIssueDate: rule.requiresIssueDate,
  requiresExpiryDate: rule.requiresExpiryDate,
  requiresIdNumber: true,
  requiresDocument: rule.requiresDocument,
  issuingCountryRule: rule.issuingCountryRule,
  validationRules: {
    regex: rule.pattern,
    minLength: rule.minLength,
    maxLength: rule.maxLength,
    errorMessage: formatMessage(rule, countryCode),
  },
  displayOrder,
});

export const formatMessage = (rule: DocumentRule, countryCode: string): string =>
  `does not have the format of this document in ${countryName(countryCode)} (${rule.label}): ${formatOf(rule)}`;

/** Trying examples is slow, and there are few different rules. */
const MAX_REMEMBERED = 1_000;
const remembered = new BoundedMap<string, string>(MAX_REMEMBERED);

/** In words where there are short ones, with an example that the rule itself takes. */
export function formatOf(rule: DocumentRule): string {
  const key = `${rule.check} ${rule.minLength} ${rule.maxLength} ${rule.pattern}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const format = describeFormat(rule);
  remembered.set(key, format);
  return format;
}

function describeFormat({ pattern, check, minLength, maxLength }: DocumentRule): string {
  const length = minLength === maxLength ? minLength : `${minLength} to ${maxLength}`;
  const compiled = patternOf(pattern);
  const words = formatInWords(compiled) ?? `${length} characters`;
  const accepts = (value: string) => compiled.test(value) && (check === null || CHECKS[check](value));
  const sample = check && SAMPLES[check]?.find(accepts);
  const example = sample ?? exampleOf(compiled, accepts);
  return example === null ? words : `${words}, e.g. ${example}`;
}
