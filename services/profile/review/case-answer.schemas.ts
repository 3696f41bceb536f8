/** What analysts read of their cases, for the API document. */

import { IDENTITY_TYPES } from "../../../shared/contract/actions/customer.ts";
import {
  count,
  country,
  described,
  flag,
  id,
  list,
  number,
  oneOf,
  orNull,
  pageOf,
  record,
  text,
  time,
  uri,
} from "../../../shared/contract/answer-schema.ts";
import { CONTENT_TYPES } from "../../../shared/contract/document-vocabulary.ts";
import { profileValue, stage, status, verificationValue } from "../read/answer.schemas.ts";

const caseProperties = {
  customerId: id,
  partnerId: id,
  partnerCustomerId: text,
  companyName: text,
  verificationStatus: status,
  reviewStage: stage,
  claimedBy: orNull(described(text, "Email of the analyst.")),
  claimedUntil: orNull(time),
  incorporationCountryIso3Code: country,
  test: described(flag, "Of a test partner."),
  submittedAt: time,
  version: described(number, "What If-Match of a decision takes."),
};
const namedCaseProperties = {
  ...caseProperties,
  partnerName: described(orNull(text), "Null when it cannot be found out at the moment."),
};
export const caseValue = record(caseProperties);
export const caseOrNothing = orNull(caseValue);
export const caseListValue = pageOf(record(namedCaseProperties));
export const caseCountsValue = record({
  Queued: count,
  UnderReview: count,
  AwaitingPartner: count,
  Closed: count,
  mine: count,
  countedUpTo: described(count, "A number as high as this means that many or more."),
});
export const noteValue = record({
  noteId: id,
  at: time,
  by: described(text, "Email of the analyst."),
  text,
});

const state = record({ verificationStatus: status, reviewStage: stage });
export const caseDetailValue = record({
  ...namedCaseProperties,
  profile: profileValue,
  verification: verificationValue,
  remarks: list(record({ code: text, uboId: orNull(id), field: orNull(text), message: text })),
  notes: described(list(noteValue), "The newest 200, oldest first."),
  audit: list(
    described(
      record({
        version: number,
        at: time,
        actor: record({ kind: oneOf(["partner", "analyst", "system"]), id: text }),
        action: text,
        from: orNull(state),
        to: state,
        requestId: text,
        detail: { type: "object" },
      }),
      "The newest 200 entries, oldest first.",
    ),
  ),
});

export const viewLinkValue = record({
  url: uri,
  contentType: oneOf(CONTENT_TYPES),
  disposition: oneOf(["inline", "attachment"]),
  fileName: text,
  expiresAt: time,
});
export const viewLinkExample = {
  url: "https://storage.example.com/documents/3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c/0190a5d3-1f0a-7c2b-8e4d-6a5b4c3d2e1f/business/0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e/8f14e45f-ceea-467f-9b3d-0c2a1d4e5f60.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60",
  contentType: "application/pdf",
  disposition: "inline",
  fileName: "CertificateOfIncorporation.pdf",
  expiresAt: "2026-01-15T10:01:00.000Z",
};

export const revealedIdentityValue = record({
  identityTypeCode: oneOf(IDENTITY_TYPES),
  issuingCountry: country,
  identityValue: described(text, "As it was sent, in the form of the country's rule."),
});
export const revealedIdentityExample = {
  identityTypeCode: "PASSPORT",
  issuingCountry: "NGA",
  identityValue: "A01234567",
};
