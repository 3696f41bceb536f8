/** The closed lists that forms offer, in one answer. */

import type { Vocabularies } from "../../shared/contract/answers/country.ts";
import {
  BUSINESS_DOCUMENT_CATEGORIES,
  BUSINESS_TYPES,
  CONTENT_TYPES,
  IDENTITY_TYPES,
  OWNERSHIP_TYPES,
  PERSON_DOCUMENT_CATEGORIES,
  REASON_CODES,
  REVIEW_STAGES,
  TARGET_KINDS,
  VERIFICATION_STATUSES,
} from "../../shared/contract/vocabularies.ts";
import { TARGET_FIELDS } from "./change/change-requests.rules.ts";
import { listCountries } from "./country/list-countries.ts";
import type { Deps } from "./deps.ts";

export const vocabularies = (deps: Pick<Deps, "countries">): Vocabularies => ({
  reasonCodes: REASON_CODES,
  targets: TARGET_KINDS.map((kind) => ({ kind, fields: TARGET_FIELDS[kind] })),
  businessDocumentCategories: BUSINESS_DOCUMENT_CATEGORIES,
  personDocumentCategories: PERSON_DOCUMENT_CATEGORIES,
  contentTypes: CONTENT_TYPES,
  identityTypes: IDENTITY_TYPES,
  ownershipTypes: OWNERSHIP_TYPES,
  verificationStatuses: VERIFICATION_STATUSES,
  reviewStages: REVIEW_STAGES,
  businessTypes: BUSINESS_TYPES,
  countries: listCountries(deps).items,
});
