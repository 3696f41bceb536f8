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
import { IDEMPOTENCY_HOURS } from "../../../shared/contract/durations.ts";
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import { type DocsOf, withField } from "../route-doc.ts";

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
  "The ETag of the answer is the new version. With If-Match, the call fails with 412 Customer.VersionMismatch if the customer",
  "was changed meanwhile. Without If-Match, changes made at the same time are applied one after the other.",
].join("\n");

export const businessProfileDocs: DocsOf<"Business profiles"> = {
  "profile.create": {
    summary: "Create a business customer with its people",
    description: [
      "The customer and all its people are stored together, or nothing is stored. `details` lists every violation in one answer,",
      "each with a path such as businessPersonList[0].identities[1].expiryDate. The person's country of residence",
      "(address.countryCode) decides which identities are accepted: see GET …/ubo-identity-requirements.",
      "A created customer is queued for review. Texts are stored unchanged; NUL and incomplete Unicode characters are refused.",
      "Unknown properties are ignored and listed in `warnings` next to the value. With Svc-Strict: true they are errors.",
      `With an Idempotency-Key, you can send the request again for ${IDEMPOTENCY_HOURS} hours and get the first answer, with Idempotent-Replayed: true.`,
      "Without a key, send the same partnerCustomerId again after a 503. A 409 then means that the first request succeeded, and",
      "`details` has its customerId.",
    ].join("\n"),
    body: createSchema,
    bodyExample: createExample.body,
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
      "Replaces the fields of the body. An absent optional field is cleared. Absent addresses, financials and businessPersonList",
      "stay unchanged. People are matched by uboId, then by email. A person who is missing from the list is removed.",
      versions,
    ].join("\n"),
    body: replaceSchema,
    bodyExample: replaceExample.body,
    hasVersion: true,
    valueExample: replaceExample.value,
    errors: ["Partner.BusinessProfileIdMismatch", "Ubo.NotFound", ...ofUpdate],
  },
  "profile.patch": {
    summary: "Change parts of a business profile",
    description: [
      "Absent fields stay unchanged; null clears an optional field, also one inside a person, an address or an identity.",
      "businessPersonList adds people and removes none.",
      "businessDocumentIdList confirms uploaded documents. All changes are stored together, or none.",
      versions,
    ].join("\n"),
    body: patchSchema,
    bodyExample: patchExample.body,
    hasVersion: true,
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
      "Absent fields and absent identities stay unchanged; null clears an optional field. In a list of identities, send the masked",
      "number from a read to keep the stored number. The same is true for existing people in the body of a PUT.",
      versions,
    ].join("\n"),
    body: personPatchSchema,
    bodyExample: { lastName: "Okafor-Bello" },
    hasVersion: true,
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
      "Sandbox only; the client of a live partner gets 403 Sandbox.Required. The states and events are those of a real review.",
      "Outcomes are Approved, Rejected (with reasons) and ChangesRequested (with items, like an analyst's). `documents` confirms or",
      "rejects documents without an upload. A test customer with one of these names as companyName is decided without this call,",
      `a few seconds after it was queued: ${Object.keys(SELF_DECIDING_NAMES).join(", ")}. The last one is approved after your answer.`,
    ].join("\n"),
    body: simulateSchema,
    bodyCondition: {
      if: { not: withField("documents", { minItems: 1 }) },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: withField("outcome"),
    },
    bodyExample: simulateExample,
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
    description:
      "Newest first. Programs should follow nextCursor. Page numbers, with a total, are for screens.",
    query: listQuery,
  },
  "profile.getByReference": {
    summary: "Read one customer by the partner's own reference",
    description:
      "Finds one of your own customers. References are case-sensitive. The reference of an erased customer can be used again.",
    hasVersion: true,
    valueExample: profileExample,
    errors: ["Customer.NotFound"],
  },
  "profile.get": {
    summary: "Read one customer",
    description:
      "Identity and tax numbers show their last four characters only. The ETag is the version of the customer.",
    hasVersion: true,
    valueExample: profileExample,
    errors: ofOne,
  },
  "profile.verificationStatus": {
    summary: "Read the verification outcome",
    description: [
      "The outcome of the review, the requested changes, and the missing documents. Answer a change request by changing its",
      "field, adding a person, or uploading a document of its category.",
    ].join("\n"),
    hasVersion: true,
    valueExample: verificationExample,
    errors: ofOne,
  },
};
