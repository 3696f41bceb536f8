/** The contents of the events about customers. */
import { count, described, id, list, number, orNull, record, text, time } from "../answer-schema.ts";
import { ownershipType, status } from "./customer.ts";
import { reasonCode, target } from "./verification.ts";

const customer = { customerId: id, partnerCustomerId: text };
const customerExample = {
  customerId: "0190a5d3-1f0a-7c2b-8e4d-6a5b4c3d2e1f",
  partnerCustomerId: "customer-4711",
};
const UBO_ID = "0190a5d3-1f0b-7d3c-9f5e-7b6c5d4e3f20";

const document = {
  ...customer,
  documentId: id,
  documentCategory: text,
  contentType: text,
  uboId: described(orNull(id), "The person it is about; null when it is about the business."),
};
const documentExample = {
  ...customerExample,
  documentId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
  documentCategory: "CertificateOfIncorporation",
  contentType: "application/pdf",
  sizeBytes: 48_211,
  uboId: null,
};

export const profileEvents = {
  "business.profile.created": {
    data: record({ ...customer, verificationStatus: status, ubos: described(list(id), "The uboIds.") }),
    example: { ...customerExample, verificationStatus: "PendingVerification", ubos: [UBO_ID] },
  },
  "business.profile.updated": {
    data: record({
      ...customer,
      verificationStatus: status,
      changedFields: list(text),
      removedUboIds: list(id),
    }),
    example: {
      ...customerExample,
      verificationStatus: "PendingVerification",
      changedFields: ["website"],
      removedUboIds: [],
    },
  },
  "business.person.added": {
    data: record({
      ...customer,
      uboId: id,
      ownershipType: list(ownershipType),
      percentageShare: orNull(number),
    }),
    example: { ...customerExample, uboId: UBO_ID, ownershipType: ["UBO"], percentageShare: 60 },
  },
  "business.person.updated": {
    data: record({
      ...customer,
      uboId: id,
      ownershipType: list(ownershipType),
      percentageShare: orNull(number),
      changedFields: described(list(text), "Names only, never a value."),
    }),
    example: {
      ...customerExample,
      uboId: UBO_ID,
      ownershipType: ["UBO"],
      percentageShare: 60,
      changedFields: ["lastName"],
    },
  },
  "business.document.confirmed": {
    data: record({ ...document, sizeBytes: count, confirmedAt: time }),
    example: { ...documentExample, confirmedAt: "2026-01-02T03:04:05.601Z" },
  },
  "business.document.rejected": {
    data: record({
      ...document,
      sizeBytes: orNull(count),
      reason: described(text, "WrongType, TooLarge, Empty, Mismatch or Malware; there may be more."),
      uploadedAt: orNull(time),
    }),
    example: { ...documentExample, reason: "WrongType", uploadedAt: "2026-01-02T03:04:05.601Z" },
  },
  "business.verification.updated": {
    data: record({
      ...customer,
      verificationStatus: status,
      previousVerificationStatus: status,
      openChangeRequestCount: count,
      reasonCodes: described(list(reasonCode), "Why it was rejected."),
      changeRequests: described(
        list(record({ changeRequestId: id, target, reasonCode })),
        "The open ones; verification-status has their words.",
      ),
    }),
    example: {
      ...customerExample,
      verificationStatus: "ChangesRequested",
      previousVerificationStatus: "PendingVerification",
      openChangeRequestCount: 1,
      reasonCodes: [],
      changeRequests: [
        {
          changeRequestId: "0190b6b1-0c44-7a55-b1d2-7e8f9a0b1c2d",
          target: {
            kind: "Document",
            uboId: null,
            documentCategory: "CertificateOfIncorporation",
            field: null,
          },
          reasonCode: "Document.Unreadable",
        },
      ],
    },
  },
  "business.profile.erased": {
    data: record({ ...customer, erasedAt: time }),
    example: { ...customerExample, erasedAt: "2031-01-02T03:04:05.601Z" },
  },
};
