/** What an analyst sees of a customer. The partner reads its words as it wrote them; here they are safe to be pasted. */

import type { AuditEntry, CaseDetail, CaseSummary, Remark } from "../../../shared/action-types/customer.ts";
import { safeText, safeTexts } from "../../../shared/safe-text.rules.ts";
import { profileView } from "../read/profile.view.ts";
import { verificationView } from "../read/verification.view.ts";
import { missingDocuments } from "../record/documents.rules.ts";
import { livePeople } from "../record/live-people.rules.ts";
import type { Profile } from "../record/profile.types.ts";

export const caseSummary = (profile: Profile): CaseSummary => ({
  customerId: profile._id,
  partnerId: profile.partnerId,
  partnerCustomerId: profile.partnerCustomerId,
  companyName: safeText(profile.companyName),
  verificationStatus: profile.verificationStatus,
  reviewStage: profile.reviewStage,
  claimedBy: profile.claim?.analystEmail ?? null,
  claimedUntil: profile.claim?.leaseUntil ?? null,
  test: profile.isTest === true,
  submittedAt: profile.submittedAt,
});

export const caseDetail = (profile: Profile, audit: readonly AuditEntry[]): CaseDetail => ({
  ...caseSummary(profile),
  profile: safeTexts(profileView(profile)),
  verification: verificationView(profile),
  remarks: remarksOn(profile),
  audit,
});

function remarksOn(profile: Profile): Remark[] {
  const people = livePeople(profile.people);
  const share = people.reduce((sum, { percentageShare }) => sum + (percentageShare ?? 0), 0);
  const shares: Remark[] =
    share > 100
      ? [
          {
            code: "People.ShareAbove100",
            uboId: null,
            field: "percentageShare",
            message: `the shares of all people add up to ${share}`,
          },
        ]
      : [];
  const numbers = people.flatMap(({ uboId, identities }) =>
    identities.flatMap(({ remarks }, index) =>
      remarks.map((code) => ({
        code,
        uboId,
        field: `identities[${index}].identityValue`,
        message: "the check digit does not fit the number",
      })),
    ),
  );
  const documents = missingDocuments(profile).map(({ uboId, identityTypeCode }) => ({
    code: "Document.Missing",
    uboId,
    field: null,
    message: `there is no file for the identity of type ${identityTypeCode}`,
  }));
  return [...shares, ...numbers, ...documents];
}
