/** A customer for analysts. The partner's texts are safe to paste. */

import type {
  CaseDetail,
  CaseNote,
  CaseSummary,
  CustomerAuditEntry,
  NamedCase,
  Remark,
} from "../../../shared/contract/answers/case.ts";
import { safeText, safeTexts } from "../../../shared/safe-text.rules.ts";
import { profileView, verificationView } from "../read/profile.view.ts";
import { missingDocuments } from "../record/documents.rules.ts";
import { livePeople } from "../record/people.rules.ts";
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
  incorporationCountryIso3Code: profile.incorporationCountryIso3Code,
  test: profile.isTest === true,
  submittedAt: profile.submittedAt,
  version: profile.version,
});

/** By partner id; an unavailable name is null. */
export type PartnerNames = Readonly<Record<string, string>>;

export const namedCase = (profile: Profile, names: PartnerNames): NamedCase => {
  const partnerName = names[profile.partnerId];
  return { ...caseSummary(profile), partnerName: partnerName === undefined ? null : safeText(partnerName) };
};

export const caseDetail = (
  profile: Profile,
  { audit, notes }: { audit: readonly CustomerAuditEntry[]; notes: readonly CaseNote[] },
  names: PartnerNames,
): CaseDetail => ({
  ...namedCase(profile, names),
  profile: safeTexts(profileView(profile)),
  verification: verificationView(profile),
  remarks: remarksOn(profile),
  notes: notes.map((note) => ({ ...note, text: safeText(note.text) })),
  audit,
});

function remarksOn(profile: Profile): Remark[] {
  const people = livePeople(profile.people);
  const share = people.reduce((sum, { percentageShare }) => sum + (percentageShare ?? 0), 0);
  const aboveAll: Remark = {
    code: "People.ShareAbove100",
    uboId: null,
    field: "percentageShare",
    message: `the shares of all people add up to ${share}`,
  };
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
  return [...(share > 100 ? [aboveAll] : []), ...numbers, ...documents];
}
