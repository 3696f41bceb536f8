import { expect, test } from "@jest/globals";
import { BUSINESS_TYPES, businessTypeCode, REASON_CODES } from "../../../shared/contract/vocabularies.ts";

test("the codes that callers write and customers keep", () => {
  expect(BUSINESS_TYPES.map(({ code }) => code).join(" ")).toBe(
    "SoleProprietor Partnership LimitedPartnership LLP LLC PrivateLimitedCompany PublicLimitedCompany Corporation " +
      "NonProfit Charity Association Cooperative Trust Foundation GovernmentEntity StateOwnedEnterprise " +
      "FinancialInstitution Branch FreeZoneCompany Other",
  );
  expect(REASON_CODES.join(" ")).toBe(
    "Document.Unreadable Document.Expired Document.WrongType Document.Missing Document.NameMismatch " +
      "Document.AddressMismatch Business.NotFoundInRegistry Business.NameMismatch " +
      "Business.RegistrationNumberMismatch Business.OwnershipUnclear Business.SourceOfFundsUnclear " +
      "Business.ProhibitedActivity Person.IdentityMismatch Person.IdentityNumberInvalid Person.Missing " +
      "Risk.PolicyDecision Other",
  );
});

test("each business type has a name for people, and is known in any case", () => {
  expect(BUSINESS_TYPES.filter(({ name }) => !/^[A-Z][a-z-]+/.test(name))).toEqual([]);
  for (const { code } of BUSINESS_TYPES) expect(businessTypeCode(code.toUpperCase())).toBe(code);
});
