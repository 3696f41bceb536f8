/** Rules of a body that go beyond its shape and are the same for create, PUT and PATCH. */
import type { ValidationSchema } from "fastest-validator";
import { BUSINESS_TYPES, businessTypeCode } from "../../../shared/contract/vocabularies.ts";
import { INVALID, type Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { isStorable, isStorableThroughout, isWebsite } from "../record/text.rules.ts";
import { countryViolation, dayViolation, type PeopleContext, peopleViolations } from "./people.rules.ts";

/** PATCH knows the country under two names. */
export const COUNTRY_NAMES = ["incorporationCountryCode", "incorporationCountryIso3Code"] as const;

export function businessViolations(
  raw: Raw,
  schema: ValidationSchema,
  shapeCode: string,
  context: PeopleContext,
): Violation[] {
  const { website, businessTypeCode: type, addresses, businessPersonList: people } = raw;
  const found = dayViolation(raw.registrationDate, "registrationDate", shapeCode);
  if (
    typeof website === "string" &&
    website.length <= 255 &&
    /^https?:\/\/\S+$/i.test(website) &&
    !isWebsite(website)
  )
    found.push({ field: "website", code: shapeCode, message: "must be an absolute http or https URL" });
  if (typeof type === "string" && type !== "" && !type.includes("_") && !businessTypeCode(type))
    found.push({
      field: "businessTypeCode",
      code: "BusinessType.NotFound",
      message: `is not a business type; use ${BUSINESS_TYPES.map(({ code }) => code).join(", ")}`,
      rule: "BusinessType.Unknown",
    });
  for (const name of COUNTRY_NAMES) found.push(...countryViolation(raw[name], name));
  if (Array.isArray(addresses))
    addresses.forEach((address, index) => {
      if (isRecord(address))
        found.push(...countryViolation(address.countryCode, `addresses[${index}].countryCode`));
    });
  if (Array.isArray(people)) found.push(...peopleViolations(people, context));
  found.push(...unstorableTexts(raw, schema as Record<string, Rule>, shapeCode));
  return found;
}

type Rule = { type?: string; props?: Record<string, Rule>; items?: Rule };

/** Texts of known fields that storage would change; unknown fields are never stored. */
function unstorableTexts(raw: Raw, schema: Record<string, Rule>, shapeCode: string): Violation[] {
  const found: Violation[] = [];
  // The usual case: walking the schema for paths costs several times as much.
  if (isStorableThroughout(raw)) return found;
  const walk = (value: unknown, rule: Rule, field: string): void => {
    if (typeof value === "string") {
      if (isStorable(value)) return;
      const code = /[.[]/.test(field) ? INVALID : shapeCode;
      found.push({ field, code, message: "holds a NUL or an incomplete Unicode character" });
    } else if (Array.isArray(value) && rule.items) {
      for (const [index, item] of value.entries()) walk(item, rule.items, `${field}[${index}]`);
    } else if (isRecord(value) && rule.props) {
      for (const [name, inner] of Object.entries(rule.props)) walk(value[name], inner, `${field}.${name}`);
    }
  };
  // The shape check reports the reference, with codes of its own.
  for (const [name, rule] of Object.entries(schema))
    if (name !== "partnerCustomerId") walk(raw[name], rule, name);
  return found;
}
