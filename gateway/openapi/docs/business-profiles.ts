/** Documentation of what partners do with their customers. */

import {
  createSchema,
  patchSchema,
  personPatchSchema,
  replaceSchema,
} from "../../../services/profile/input/profile.schemas.ts";
import {
  createExample,
  patchExample,
  patchPersonExample,
  profileExample,
  replaceExample,
  verificationExample,
} from "../../../services/profile/read/examples.schemas.ts";
import { listQuery } from "../../../services/profile/read/list.schemas.ts";
import {
  SELF_DECIDING_NAMES,
  simulateExample,
  simulateSchema,
} from "../../../services/profile/review/sandbox.schemas.ts";
import {
  createValue,
  patchPersonValue,
  patchValue,
  profileListValue,
  profileValue,
  replaceValue,
} from "../../../shared/contract/answers/customer.ts";
import { verificationValue } from "../../../shared/contract/answers/verification.ts";
import { IDEMPOTENCY_HOURS } from "../../../shared/contract/durations.ts";
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import type { DocsOf } from "../route-doc.ts";

const ofOne: ErrorCode[] = ["Customer.NotFound", "Customer.Erased", "Partner.NotAuthorized"];
const lookUps: ErrorCode[] = ["Country.NotFound", "BusinessType.NotFound", "OnboardingConfig.NotFound"];
const ofUpdate: ErrorCode[] = [
  "ValidationControl.Error",
  "Customer.PartnerCustomerIdInvalid",
  "PhoneNumber.Invalid",
  ...lookUps,
  ...ofOne,
  "Customer.VersionMismatch",
  "Customer.UnderReview",
  "Customer.VerificationClosed",
  "Customer.Conflict",
];
const versions = [
  "The answer's ETag is the version. If-Match makes the call fail with 412 Customer.VersionMismatch when the customer has",
  "another one by now; without it, changes made at the same time are applied one after the other.",
].join("\n");

export const businessProfileDocs: DocsOf<"Business profiles"> = {
  "profile.create": {
    summary: "Create a business customer with its people",
    description: [
      "The customer and all its people are stored in one write, or nothing is. Every violation is named at once in `details`,",
      "with a path such as businessPersonList[0].identities[1].expiryDate. Identities are judged by the person's country of",
      "residence (address.countryCode): GET …/ubo-identity-requirements shows the very rules.",
      "Success queues the customer for review. Texts are stored as they come; a NUL or an incomplete Unicode character is refused,",
      "unknown properties are ignored and named in `warnings` beside the value. With the header Svc-Strict: true whatever would be",
      `a warning is refused. With an Idempotency-Key of your own the request can be sent again for ${IDEMPOTENCY_HOURS} hours: the answer is the first`,
      "one, with Idempotent-Replayed: true. Without one, after a 503 send the same partnerCustomerId again: 409 means that the first try did succeed",
      "and names its customerId.",
    ].join("\n"),
    body: createSchema,
    bodyExample: createExample.body,
    value: createValue,
    valueExample: createExample.value,
    errors: [
      "Validation",
      "Customer.PartnerCustomerIdRequired",
      "Customer.PartnerCustomerIdInvalid",
      "PhoneNumber.Invalid",
      "ValidationControl.Error",
      ...lookUps,
      "Customer.PartnerCustomerIdDuplicate",
    ],
  },
  "profile.replace": {
    summary: "Replace a business profile",
    description: [
      "Replaces the listed fields; an optional field that is absent is cleared. Absent addresses, financials and",
      "businessPersonList stay as they are. People are matched by uboId, then by email; who is not named any more is removed.",
      versions,
    ].join("\n"),
    body: replaceSchema,
    bodyExample: replaceExample.body,
    hasVersion: true,
    value: replaceValue,
    valueExample: replaceExample.value,
    errors: ["Partner.BusinessProfileIdMismatch", "Ubo.NotFound", ...ofUpdate],
  },
  "profile.patch": {
    summary: "Change parts of a business profile",
    description: [
      "What is left out stays; null clears an optional field. businessPersonList appends people and never removes one;",
      "businessDocumentIdList confirms uploaded documents. All of it is stored, or nothing.",
      versions,
    ].join("\n"),
    body: patchSchema,
    bodyExample: patchExample.body,
    hasVersion: true,
    value: patchValue,
    valueExample: patchExample.value,
    errors: [
      ...ofUpdate,
      "Document.NotFound",
      "Document.AccessDenied",
      "Document.NotUploaded",
      "Document.Rejected",
    ],
  },
  "profile.patchPerson": {
    summary: "Correct one person of a customer",
    description: [
      "What is left out stays; null clears an optional field. Identities that are left out stay, too; in a list of identities the",
      "masked number that a read shows stands for the number itself. The same holds for people whom a PUT names by uboId or email.",
      versions,
    ].join("\n"),
    body: personPatchSchema,
    bodyExample: { lastName: "Okafor-Bello" },
    hasVersion: true,
    value: patchPersonValue,
    valueExample: patchPersonExample,
    errors: [
      "ValidationControl.Error",
      "PhoneNumber.Invalid",
      "Country.NotFound",
      "OnboardingConfig.NotFound",
      ...ofOne,
      "Customer.VersionMismatch",
      "Customer.UnderReview",
      "Customer.VerificationClosed",
      "Customer.Conflict",
    ],
    missing: ["Ubo.NotFound"],
  },
  "profile.simulate": {
    summary: "Decide the review of a test customer",
    description: [
      "Only in the sandbox; a live partner gets 403 Sandbox.Required. The outcome goes through the states and events of a real",
      "review: Approved, Rejected (with reasons) or ChangesRequested (with items, as an analyst asks); documents confirms or rejects",
      "files that nobody uploaded. A test customer whose companyName is one of these is decided without being asked, some seconds",
      `after it is queued: ${Object.keys(SELF_DECIDING_NAMES).join(", ")}; what is answered to the last is approved.`,
    ].join("\n"),
    body: simulateSchema,
    bodyCondition: {
      if: { not: { required: ["documents"] } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ["outcome"] },
    },
    bodyExample: simulateExample,
    value: verificationValue,
    valueExample: verificationExample,
    errors: [
      "ValidationControl.Error",
      "Ubo.NotFound",
      "Sandbox.Required",
      "Case.InvalidState",
      "Case.AlreadyClaimed",
      "Customer.Conflict",
      ...ofOne,
    ],
  },
  "profile.list": {
    summary: "List the customers of the partner",
    description: "Newest first. Walk by cursor; page numbers with a total are for people.",
    query: listQuery,
    value: profileListValue,
    errors: ["ValidationControl.Error"],
  },
  "profile.getByReference": {
    summary: "Read one customer by the partner's own reference",
    description:
      "Searches the caller's own customers; the case of the reference matters. The reference of a customer that was erased is free again.",
    hasVersion: true,
    value: profileValue,
    valueExample: profileExample,
    errors: ["Customer.NotFound"],
  },
  "profile.get": {
    summary: "Read one customer",
    description:
      "Identity and tax numbers are masked to their last four characters. The ETag is the version.",
    hasVersion: true,
    value: profileValue,
    valueExample: profileExample,
    errors: ofOne,
  },
  "profile.verificationStatus": {
    summary: "Read the verification outcome",
    description: [
      "What the review has come to, what the partner was asked to change, and which documents are missing.",
      "A change request is answered by a change of its field, by a person added, or by a document confirmed in its category.",
    ].join("\n"),
    hasVersion: true,
    value: verificationValue,
    valueExample: verificationExample,
    errors: ofOne,
  },
};
