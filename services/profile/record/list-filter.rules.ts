/** The query of a list: filters, and where its pages begin. */
import {
  businessTypeCode,
  REVIEW_STAGES,
  VERIFICATION_STATUSES,
} from "../../../shared/contract/vocabularies.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { readPaging } from "../../../shared/input/time-pages.rules.ts";
import { foldedName } from "./text.rules.ts";

type ListQuery = ReturnType<typeof readListQuery>;
export type ProfileFilter = ListQuery["filter"];
export type PageRequest = ListQuery["page"];

export function readListQuery(query: Query) {
  const reader = new QueryReader(query);
  const type = reader.text("businessTypeCode");
  const name = reader.text("companyName");
  const filter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    partnerCustomerId: reader.text("partnerCustomerId"),
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
