/** The request that carries an event to a partner, and the contents of the events. */
import {
  type Answer,
  always,
  count,
  described,
  flag,
  id,
  type JsonSchema,
  list,
  named,
  number,
  orNull,
  record,
  text,
  time,
  withOptional,
} from "../answer-schema.ts";
import { ownershipType, status } from "./customer.ts";
import { reasonCode, target } from "./verification.ts";

export const TEST_MESSAGE = "This is a test event. It says nothing about a customer.";

const correlation = named(
  "Correlation",
  record({
    correlationId: text,
    requestId: described(text, "Svc-Request-Id of the request that caused the event."),
    customerId: orNull(id),
    partnerCustomerId: orNull(text),
    sequence: described(
      orNull(number),
      "Rises by one for each event of a customer. Ignore an event with a lower number than you have.",
    ),
  }),
);
export type Correlation = Answer<typeof correlation>;

/** Every receiver gets these bytes, at each attempt and replay. */
export const envelope = (type: string, version: number, data: JsonSchema): JsonSchema =>
  withOptional(
    record({
      eventId: described(id, "The same in every attempt and replay; use it to drop duplicates."),
      eventType: always(type),
      eventVersion: always(version),
      occurredAt: time,
      partnerId: id,
      correlation,
      data,
    }),
    { test: described(flag, "true in events of a sandbox; absent in all others.") },
  );

/** A signature per secret in force. */
const signatures = { ...text, pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=){0,4}$" };

export const webhookHeaders: Record<string, JsonSchema> = {
  "Svc-Event-Id": described(id, "Same as eventId."),
  "Svc-Event-Type": described(text, "Same as eventType."),
  "Svc-Event-Version": described(number, "Same as eventVersion."),
  "Svc-Delivery-Id": described(id, "The id in the delivery history. A replay is a new delivery."),
  "Svc-Attempt": { ...described(number, "Number of this attempt of the delivery."), minimum: 1, maximum: 8 },
  "Svc-Timestamp": described(
    count,
    "Unix time of this attempt in seconds. Refuse it if it differs from your clock by more than five minutes.",
  ),
  "Svc-Signature": described(
    signatures,
    "`v1,` and the base64 of HMAC-SHA256 over `<Svc-Event-Id>.<Svc-Timestamp>.<raw body>`. One signature for each secret in force, newest first, separated by a blank.",
  ),
  "webhook-id": described(id, "Same as Svc-Event-Id, under the name that Standard Webhooks libraries read."),
  "webhook-timestamp": described(count, "Same as Svc-Timestamp."),
  "webhook-signature": described(signatures, "Same as Svc-Signature."),
};
export const replayHeader: Record<string, JsonSchema> = {
  "Svc-Replay": described(always("true"), "Sent with replays only."),
};

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
  uboId: described(orNull(id), "The person of the document; null for a document of the business."),
};
const documentExample = {
  ...customerExample,
  documentId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
  documentCategory: "CertificateOfIncorporation",
  contentType: "application/pdf",
  sizeBytes: 48_211,
  uboId: null,
};

const person = {
  ...customer,
  uboId: id,
  ownershipType: list(ownershipType),
  percentageShare: orNull(number),
};
const personExample = { ...customerExample, uboId: UBO_ID, ownershipType: ["UBO"], percentageShare: 60 };

/** The contents of each event by its type. */
export const eventContents = {
  "webhook.test": { data: record({ message: text }), example: { message: TEST_MESSAGE } },
  "business.profile.created": {
    data: record({
      ...customer,
      verificationStatus: status,
      ubos: described(list(id), "The uboIds of its people."),
    }),
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
  "business.person.added": { data: record(person), example: personExample },
  "business.person.updated": {
    data: record({ ...person, changedFields: described(list(text), "Names of fields, never a value.") }),
    example: { ...personExample, changedFields: ["lastName"] },
  },
  "business.document.confirmed": {
    data: record({ ...document, sizeBytes: count, confirmedAt: time }),
    example: { ...documentExample, confirmedAt: "2026-01-02T03:04:05.601Z" },
  },
  "business.document.rejected": {
    data: record({
      ...document,
      sizeBytes: orNull(count),
      reason: described(text, "WrongType, TooLarge, Empty, Mismatch or Malware. New reasons may be added."),
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
      reasonCodes: described(list(reasonCode), "Reasons of a rejection."),
      changeRequests: described(
        list(record({ changeRequestId: id, target, reasonCode })),
        "The open change requests. verification-status has their messages.",
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
