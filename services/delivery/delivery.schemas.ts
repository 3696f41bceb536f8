/** Queries, bodies and answers for the API document; history.rules.ts and replay.rules.ts judge, as each rule has its own code. */
import { ATTEMPT_ERROR_KINDS, DELIVERY_STATUSES } from "../../shared/action-types/delivery.ts";
import {
  count,
  described,
  flag,
  id,
  type JsonSchema,
  list,
  number,
  numberedPage,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../../shared/answer-schema.ts";
import type { ValidationSchema } from "../../shared/validation.ts";

const when = { type: "string", optional: true } as const;
const eventType = { type: "string", optional: true } as const;
const status = { type: "enum", values: [...DELIVERY_STATUSES], optional: true } as const;

export const historyQuery: ValidationSchema = {
  status,
  eventType,
  from: when,
  to: when,
  page: { type: "number", integer: true, min: 1, optional: true },
  pageSize: { type: "number", integer: true, min: 1, max: 200, optional: true },
};

export const eventFeedQuery: ValidationSchema = {
  cursor: {
    type: "string",
    optional: true,
    $$meta: { description: "nextCursor of the page before; the oldest events when left out." },
  },
  pageSize: { type: "number", integer: true, min: 1, max: 200, optional: true },
};

export const replayBody: ValidationSchema = {
  from: { type: "string" },
  to: { type: "string" },
  eventType,
  status,
  includeUnrouted: { type: "boolean", optional: true },
};

const delivery = {
  id,
  eventId: described(id, "Stable across retries and replays; use it to drop duplicates."),
  eventType: text,
  eventVersion: number,
  occurredAt: time,
  status: oneOf(DELIVERY_STATUSES),
  attemptCount: { ...count, maximum: 8 },
  nextAttemptAt: orNull(time),
  lastStatusCode: orNull(number),
  isReplay: flag,
  replaySeries: described(orNull(id), "The replay it belongs to."),
  completedAt: orNull(time),
};

const attempt = {
  attemptNo: { ...number, minimum: 1 },
  sentAt: time,
  statusCode: orNull(number),
  responseExcerpt: described(orNull(text), "The first 4 KiB of the receiver's answer."),
  durationMs: count,
  errorKind: described(
    orNull(oneOf([...ATTEMPT_ERROR_KINDS, "EndpointDisabled"])),
    "EndpointDisabled stands for an attempt that was not made any more; it is not counted in attemptCount.",
  ),
};

export const historyValue = numberedPage(record(delivery));
export const deliveryValue = record({
  ...delivery,
  attempts: list(record(attempt)),
  envelopeJson: orNull(text),
});
export const eventFeedValue = (event: JsonSchema) =>
  record({
    items: list(event),
    nextCursor: described(text, "Ask with it for what comes next; never null."),
    hasMore: described(flag, "Whether there is more already."),
  });
export const replayDeliveryValue = record({ deliveryId: id });
export const replayWindowValue = record({
  created: count,
  replaySeries: described(orNull(id), "What its deliveries have as replaySeries; null when there are none."),
});
export const sendTestValue = record({ eventId: id });
export const eventTypesValue = list(record({ name: text, version: number, owner: text, description: text }));
