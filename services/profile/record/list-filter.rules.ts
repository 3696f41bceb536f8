/** The query of a list: what it filters by, and where its pages begin. */
import {
  businessTypeCode,
  REVIEW_STAGES,
  type ReviewStage,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "../../../shared/contract/vocabularies.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
  type Range,
} from "../../../shared/input/query-reader.ts";
import { type Paging, readPaging } from "../../../shared/input/time-pages.rules.ts";
import { foldedName, PARTNER_CUSTOMER_ID } from "./text.rules.ts";

export type ProfileFilter = {
  verificationStatus: VerificationStatus | null;
  reviewStage: ReviewStage | null;
  partnerCustomerId: string | null;
  registrationNumber: string | null;
  incorporationCountryIso3Code: string | null;
  businessTypeCode: string | null;
  industry: string | null;
  companyNamePrefix: string | null;
  created: Range;
  updated: Range;
};

export type PageRequest = Paging & { pageSize: number };

export function readListQuery(query: Query): { filter: ProfileFilter; page: PageRequest } {
  const reader = new QueryReader(query);
  const type = reader.text("businessTypeCode");
  const name = reader.text("companyName");
  const reference = reader.text("partnerCustomerId");
  const filter: ProfileFilter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    partnerCustomerId: reference,
    registrationNumber: reader.text("registrationNumber"),
    incorporationCountryIso3Code: reader.text("incorporationCountryIso3Code"),
    businessTypeCode: type === null ? null : (businessTypeCode(type) ?? type),
    industry: reader.text("industry"),
    companyNamePrefix: name === null ? null : foldedName(name),
    created: reader.range("createdFrom", "createdTo"),
    updated: reader.range("updatedFrom", "updatedTo"),
  };
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return reader.finish({ filter, page: { ...readPaging(query, reader), pageSize } });
}

/** False when no stored reference can look like this, so nothing needs to be searched. */
export const isPossibleReference = (reference: string): boolean => PARTNER_CUSTOMER_ID.test(reference);
