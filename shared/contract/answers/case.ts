/** Cases as analysts read them. */
import {
  type Answer,
  anyObject,
  count,
  country,
  described,
  type Fields,
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
} from "../answer-schema.ts";
import { IDENTITY_TYPES } from "../vocabularies.ts";
import { profileValue, stage, status } from "./customer.ts";
import { verificationValue } from "./verification.ts";

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
  test: described(flag, "true for a customer of a test partner."),
  submittedAt: time,
  version: described(number, "Send it as If-Match with a decision."),
};
export const caseValue = record(caseProperties);
export const caseOrNothing = orNull(caseValue);
export type CaseSummary = Answer<typeof caseValue>;

const namedCaseProperties = {
  ...caseProperties,
  partnerName: described(orNull(text), "null when it cannot be read at the moment."),
};
export type NamedCase = Fields<typeof namedCaseProperties>;

export const caseListValue = pageOf(record(namedCaseProperties));
export type CaseList = Answer<typeof caseListValue>;

export const caseCountsValue = record({
  Queued: count,
  UnderReview: count,
  AwaitingPartner: count,
  Closed: count,
  mine: count,
  countedUpTo: described(count, "A count that equals this number means that many or more."),
});
export type CaseCounts = Answer<typeof caseCountsValue>;

export const noteValue = record({
  noteId: id,
  at: time,
  by: described(text, "Email of the analyst."),
  text,
});
export type CaseNote = Answer<typeof noteValue>;

const remark = record({ code: text, uboId: orNull(id), field: orNull(text), message: text });
/** A finding for the analyst that did not refuse the customer. */
export type Remark = Answer<typeof remark>;

const state = record({ verificationStatus: status, reviewStage: stage });
const historyEntry = record({
  // The version of the customer that the change made, so entries are numbered without a gap.
  version: number,
  at: time,
  actor: record({ kind: oneOf(["partner", "analyst", "system"]), id: text }),
  action: text,
  from: orNull(state),
  to: state,
  requestId: text,
  // Names of changed fields or a note of the analyst, never a value of a person.
  detail: anyObject,
});
export type CustomerAuditEntry = Answer<typeof historyEntry>;

export const caseDetailValue = record({
  ...namedCaseProperties,
  profile: profileValue,
  verification: verificationValue,
  remarks: list(remark),
  notes: described(list(noteValue), "The newest 200, oldest first."),
  audit: list(described(historyEntry, "The newest 200 entries, oldest first.")),
});
export type CaseDetail = Answer<typeof caseDetailValue>;

export const revealedIdentityValue = record({
  identityTypeCode: oneOf(IDENTITY_TYPES),
  issuingCountry: country,
  identityValue: described(text, "The full number, in the format of the country's rule."),
});
export type RevealedIdentity = Answer<typeof revealedIdentityValue>;

export const revealedIdentityExample = {
  identityTypeCode: "PASSPORT",
  issuingCountry: "NGA",
  identityValue: "A01234567",
};
