/** The verification-status record. */
import type { Verification } from "../../../shared/contract/answers/verification.ts";
import { missingDocuments } from "../record/documents.rules.ts";
import type { Profile } from "../record/profile.types.ts";

export const verificationView = (profile: Profile): Verification => ({
  customerId: profile._id,
  partnerCustomerId: profile.partnerCustomerId,
  verificationStatus: profile.verificationStatus,
  reviewStage: profile.reviewStage,
  submittedAt: profile.submittedAt,
  statusChangedAt: profile.statusChangedAt,
  decidedAt: profile.decidedAt,
  decision: profile.decision,
  changeRequests: profile.changeRequests,
  missingDocuments: missingDocuments(profile),
  history: profile.history,
  version: profile.version,
});
