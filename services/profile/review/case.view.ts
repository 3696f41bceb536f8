/** A customer for analysts. The partner's texts are made safe to be pasted. */

import type {
  CaseDetail,
  CaseNote,
  CaseSummary,
  CustomerAuditEntry,
  NamedCase,
  Remark,
} from "../../../shared/contract/answers/case.ts";
import { safeText, safeTexts } from "../../../shared/safe-text.rules.ts";
import { profileView } from "../read/profile.view.ts";
import { verificationView } from "../read/verification.view.ts";
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

type Trails = { audit: readonly CustomerAuditEntry[]; notes: readonly CaseNote[] };

export const caseDetail = (profile: Profile, { audit, notes }: Trails, names: PartnerNames): CaseDetail => ({
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
