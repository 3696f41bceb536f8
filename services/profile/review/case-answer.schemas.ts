/** What analysts read of their cases, for the API document. */
import {
  described,
  flag,
  id,
  list,
  number,
  numberedPage,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../../../shared/answer-schema.ts";
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
  test: described(flag, "Of a test partner."),
  submittedAt: time,
};
export const caseValue = record(caseProperties);
export const caseListValue = numberedPage(caseValue);

const state = record({ verificationStatus: status, reviewStage: stage });
export const caseDetailValue = record({
  ...caseProperties,
  profile: profileValue,
  verification: verificationValue,
  remarks: list(record({ code: text, uboId: orNull(id), field: orNull(text), message: text })),
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
