import type { ProfileFilter } from "../../../services/profile/record/list-filter.rules.ts";

export const NO_FILTER: ProfileFilter = {
  verificationStatus: null,
  reviewStage: null,
  partnerCustomerId: null,
  registrationNumber: null,
  incorporationCountryIso3Code: null,
  businessTypeCode: null,
  industry: null,
  companyNamePrefix: null,
  created: { from: null, to: null },
  updated: { from: null, to: null },
};
