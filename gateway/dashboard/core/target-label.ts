/** The label of the target of a flag or of a request for changes. */
import type { Customer } from "../../../shared/contract/answers/customer.ts";
import { asWords } from "./format.ts";

/** As an analyst makes it, or as it is read. */
type Labelled = { kind: string } & Partial<
  Record<"uboId" | "documentCategory" | "field" | "identityTypeCode" | "issuingCountry", string | null>
>;
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
