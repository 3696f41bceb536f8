/** The state of a customer's review, and the changes that an analyst asked for. */
import {
  type Answer,
  country,
  described,
  id,
  list,
  named,
  number,
  oneOf,
  openList,
  orNull,
  record,
  text,
  time,
  withOptional,
} from "../answer-schema.ts";
import { type DocumentStatus, REASON_CODES, TARGET_KINDS } from "../vocabularies.ts";
import { identityType, stage, status } from "./customer.ts";

export const reasonCode = named("ReasonCode", oneOf(REASON_CODES));

export const target = record({
  kind: oneOf(TARGET_KINDS),
  uboId: orNull(id),
  documentCategory: orNull(text),
  field: orNull(text),
});
/** Names one identity of a person. Events leave it out: it is a fact about a person. */
const preciseTarget = withOptional(target, {
  identityTypeCode: identityType,
  issuingCountry: country,
});
export type ChangeTarget = Answer<typeof preciseTarget>;

const changeRequest = named(
  "ChangeRequest",
  record({
    changeRequestId: id,
    target: preciseTarget,
    reasonCode,
    message: text,
    // Withdrawn: still open when the case was decided.
    status: oneOf(["Open", "Answered", "Withdrawn"]),
    requestedAt: time,
    respondedAt: orNull(time),
  }),
);
export type ChangeRequest = Answer<typeof changeRequest>;

const decision = record({
  outcome: oneOf(["Approved", "Rejected"]),
  reasons: list(record({ code: reasonCode, message: text })),
});
export type Decision = Answer<typeof decision>;

const missingDocument = record({
  uboId: id,
  identityTypeCode: identityType,
  documentUploadId: orNull(id),
  status: openList<DocumentStatus>(),
});
export type MissingDocument = Answer<typeof missingDocument>;

export const verificationValue = named(
  "VerificationOutcome",
  record({
    customerId: id,
    partnerCustomerId: text,
    verificationStatus: status,
    reviewStage: stage,
    submittedAt: time,
    statusChangedAt: time,
    decidedAt: orNull(time),
    decision: orNull(decision),
    changeRequests: list(changeRequest),
    missingDocuments: list(
      described(missingDocument, "An identity whose file is required or named, but was not uploaded."),
    ),
    history: list(record({ status, at: time })),
    version: number,
  }),
);
export type Verification = Answer<typeof verificationValue>;
