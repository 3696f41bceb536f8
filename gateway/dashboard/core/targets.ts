/** Flags of an analyst, before they become a request for changes; and the labels of their targets. */
import type { Customer } from "../../../shared/contract/answers/customer.ts";
import type { ChangeTarget } from "../../../shared/contract/answers/verification.ts";
import { asWords } from "./format.ts";

const NAMES = ["kind", "uboId", "documentCategory", "field", "identityTypeCode", "issuingCountry"] as const;

export type Target = Pick<ChangeTarget, "kind" | "identityTypeCode" | "issuingCountry"> &
  Partial<{ uboId: string; documentCategory: string; field: string }>;
export type Flag = { target: Target; reasonCode: string; message: string };

export const isSameTarget = (one: Target, other: Target): boolean =>
  NAMES.every((name) => one[name] === other[name]);

/** A second remark about the same thing takes the place of the first. */
export const withFlag = (flags: readonly Flag[], flag: Flag): readonly Flag[] => [
  ...withoutFlag(flags, flag),
  flag,
];

export const withoutFlag = (flags: readonly Flag[], { target }: Flag): readonly Flag[] =>
  flags.filter((each) => !isSameTarget(each.target, target));

/** As an analyst makes it, or as it is read. */
type Labelled = { kind: string } & Partial<Record<(typeof NAMES)[number], string | null>>;
type People = Pick<Customer, "businessPersonList">;

/** Such as "Website", or "Passport (NGA), Amina Okafor". */
export function targetLabel(target: Labelled, { businessPersonList }: People): string {
  const person = businessPersonList.find(({ uboId }) => uboId === target.uboId);
  const subject = subjectOf(target);
  return person ? `${subject}, ${person.firstName} ${person.lastName}` : subject;
}

function subjectOf({ kind, documentCategory, field, identityTypeCode, issuingCountry }: Labelled): string {
  if (identityTypeCode)
    return issuingCountry ? `${asWords(identityTypeCode)} (${issuingCountry})` : asWords(identityTypeCode);
  return asWords(field ?? documentCategory ?? kind);
}
