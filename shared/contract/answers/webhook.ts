/** The request that carries an event to a partner. */
import {
  type Answer,
  always,
  count,
  described,
  flag,
  id,
  type JsonSchema,
  named,
  number,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";

export const TEST_MESSAGE = "This is a test event. It says nothing about a customer.";

export const deliveryEvents = {
  "webhook.test": {
    data: record({ message: text }),
    example: { message: TEST_MESSAGE },
  },
};

/** Every receiver gets these bytes, at each attempt and replay. */
export function envelope(type: string, version: number, data: JsonSchema): JsonSchema {
  const { properties, ...rest } = envelopeRecord(type, version, data);
  const test = described(flag, "true in the events of a sandbox; absent in all others.");
  return { ...rest, properties: { ...(properties as JsonSchema), test } };
}

const correlation = named(
  "Correlation",
  record({
    correlationId: text,
    requestId: described(text, "Of the request that caused it."),
    customerId: orNull(id),
    partnerCustomerId: orNull(text),
    sequence: described(
      orNull(number),
      "Rises by one per customer; ignore what is older than what you have.",
    ),
  }),
);
export type Correlation = Answer<typeof correlation>;

const envelopeRecord = (type: string, version: number, data: JsonSchema): JsonSchema =>
  record({
    eventId: described(id, "The same at every attempt and replay; use it to drop duplicates."),
    eventType: always(type),
    eventVersion: always(version),
    occurredAt: time,
    partnerId: id,
    correlation,
    data,
  });

/** A signature per secret in force. */
const signatures = { ...text, pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=){0,4}$" };

export const webhookHeaders: Record<string, JsonSchema> = {
  "Svc-Event-Id": described(id, "As eventId."),
  "Svc-Event-Type": described(text, "As eventType."),
  "Svc-Event-Version": described(number, "As eventVersion."),
  "Svc-Delivery-Id": described(id, "As in the delivery history; a replay is a new delivery."),
  "Svc-Attempt": { ...described(number, "Which attempt of this delivery it is."), minimum: 1, maximum: 8 },
  "Svc-Timestamp": described(count, "Unix seconds of this attempt; refuse it when it is five minutes off."),
  "Svc-Signature": described(
    signatures,
    "v1 and the base64 of HMAC-SHA256 over `<Svc-Event-Id>.<Svc-Timestamp>.<raw body>`, once for each secret in force, newest first.",
  ),
  "webhook-id": described(id, "As Svc-Event-Id, under the name that Standard Webhooks' libraries read."),
  "webhook-timestamp": described(count, "As Svc-Timestamp."),
  "webhook-signature": described(signatures, "As Svc-Signature."),
};
export const replayHeader: Record<string, JsonSchema> = {
  "Svc-Replay": described(always("true"), "On replays only."),
};
