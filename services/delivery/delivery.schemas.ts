/** Queries, bodies and answers for the API document; history.rules.ts and replay.rules.ts judge, as each rule has its own code. */

import {
  DELIVERY_STATUSES,
  FAILURE_KINDS,
  REPLAY_STATES,
  RESPONSE_CLASSES,
  STATISTICS_INTERVALS,
} from "../../shared/contract/actions/delivery.ts";
import {
  count,
  described,
  flag,
  id,
  type JsonSchema,
  list,
  number,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../../shared/contract/answer-schema.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";
import { TIME_PATTERN } from "../../shared/iso-time.rules.ts";

const when = { type: "string", optional: true } as const;
const eventType = { type: "string", optional: true } as const;
const status = { type: "enum", values: [...DELIVERY_STATUSES], optional: true } as const;

const about = (description: string) => ({ $$meta: { description } });
const aboutTime = (description: string) => ({ $$meta: { description, pattern: TIME_PATTERN } });
const byId = { type: "uuid", optional: true } as const;

export const historyQuery: ValidationSchema = {
  status,
  eventType,
  from: when,
  to: when,
  eventId: byId,
  customerId: byId,
  replaySeries: byId,
  responseClass: {
    type: "enum",
    values: [...RESPONSE_CLASSES],
    optional: true,
    ...about("How the last attempt was answered; none when it was not."),
  },
  errorKind: {
    type: "enum",
    values: [...FAILURE_KINDS],
    optional: true,
    ...about("What the last attempt failed of."),
  },
  cursor: {
    type: "string",
    optional: true,
    ...about("nextCursor of the page before, or empty to begin; page and total are null then."),
  },
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
  dryRun: { type: "boolean", optional: true, ...about("Only counts what would be sent.") },
};

export const statisticsQuery: ValidationSchema = {
  interval: {
    type: "enum",
    values: [...STATISTICS_INTERVALS],
    optional: true,
    ...about("hour unless given."),
  },
  from: { ...when, ...aboutTime("A day before to by hour, 30 days by day, unless given.") },
  to: { ...when, ...aboutTime("Now unless given.") },
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
  lastErrorKind: described(orNull(oneOf(FAILURE_KINDS)), "What the last attempt failed of."),
  customerId: described(orNull(id), "null when the event is about no customer."),
  isReplay: flag,
  replaySeries: described(orNull(id), "The replay it belongs to."),
  completedAt: orNull(time),
};

const attempt = {
  attemptNo: { ...number, minimum: 1 },
  sentAt: time,
  statusCode: orNull(number),
  responseExcerpt: described(
    orNull(text),
    "The first 4 KiB of the receiver's answer; null once the event has expired.",
  ),
  durationMs: count,
  errorKind: described(
    orNull(oneOf(FAILURE_KINDS)),
    "EndpointDisabled stands for an attempt that was not made any more; it is not counted in attemptCount.",
  ),
};

export const historyValue = record({
  items: list(record(delivery)),
  page: orNull(number),
  pageSize: number,
  total: described(orNull(count), "null when a cursor is used."),
  nextCursor: described(orNull(text), "null on the last page."),
});
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

const counts = { pending: count, delivered: count, exhausted: count };
const replay = {
  replaySeries: id,
  state: oneOf(REPLAY_STATES),
  from: time,
  to: time,
  eventType: described(orNull(text), "null for all."),
  status: orNull(oneOf(DELIVERY_STATUSES)),
  includeUnrouted: flag,
  askedAt: time,
  finishedAt: orNull(time),
  created: described(count, "Deliveries made until now; of a stopped replay, all that it made and sends."),
  expected: described(count, "As many as there will be, unless it is stopped."),
};
export const replayListValue = record({ items: list(record(replay)) });
export const replayValue = record({
  ...replay,
  deliveries: described(record(counts), "What became of those made until now."),
});
export const statisticsValue = record({
  interval: oneOf(STATISTICS_INTERVALS),
  from: time,
  to: time,
  items: described(
    list(record({ at: time, ...counts })),
    "Every interval of the range, oldest first, in UTC; by when the event occurred.",
  ),
});
