/** Deliveries, their events and replays, as the dashboard shows them. */
import {
  type Answer,
  type AnswerSchema,
  count,
  described,
  type Fields,
  flag,
  id,
  list,
  number,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";
import { DELIVERY_STATUSES, FAILURE_KINDS, REPLAY_STATES, STATISTICS_INTERVALS } from "../vocabularies.ts";

const delivery = {
  id,
  eventId: described(id, "The same in every attempt and replay; use it to drop duplicates."),
  eventType: text,
  eventVersion: number,
  occurredAt: time,
  status: oneOf(DELIVERY_STATUSES),
  attemptCount: { ...count, maximum: 8 },
  nextAttemptAt: orNull(time),
  lastStatusCode: orNull(number),
  lastErrorKind: described(orNull(oneOf(FAILURE_KINDS)), "Why the last attempt failed."),
  customerId: described(orNull(id), "null when the event is about no customer."),
  isReplay: flag,
  replaySeries: described(orNull(id), "The replay it belongs to."),
  completedAt: orNull(time),
};

export type DeliveryView = Fields<typeof delivery>;

const attempt = record({
  attemptNo: { ...number, minimum: 1 },
  sentAt: time,
  statusCode: orNull(number),
  responseExcerpt: described(
    orNull(text),
    "The first 4 KiB of the receiver's answer; null when the event has expired.",
  ),
  durationMs: count,
  errorKind: described(
    orNull(oneOf(FAILURE_KINDS)),
    "EndpointDisabled: the attempt was not made, and attemptCount does not include it.",
  ),
});
export type AttemptView = Answer<typeof attempt>;

export const historyValue = record({
  items: list(record(delivery)),
  page: orNull(number),
  pageSize: number,
  total: described(orNull(count), "null when a cursor is used."),
  nextCursor: described(orNull(text), "null on the last page."),
});
export type HistoryPage = Answer<typeof historyValue>;

export const deliveryValue = record({
  ...delivery,
  attempts: list(attempt),
  envelopeJson: orNull(text),
});
export type DeliveryDetail = Answer<typeof deliveryValue>;

export const eventFeedValue = (event: AnswerSchema<Record<string, unknown>>) =>
  record({
    items: list(event),
    nextCursor: described(text, "Send it with the next call; never null."),
    hasMore: described(flag, "true when the next page already has events."),
  });
export type EventPage = Answer<ReturnType<typeof eventFeedValue>>;

export const replayDeliveryValue = record({ deliveryId: id });
export const replayWindowValue = record({
  created: count,
  replaySeries: described(orNull(id), "The replaySeries of its deliveries; null when there are none."),
});
export type ReplayStarted = Answer<typeof replayWindowValue>;

export const sendTestValue = record({ eventId: id });
export const eventTypesValue = list(record({ name: text, version: number, owner: text, description: text }));

const counts = { pending: count, delivered: count, exhausted: count };
export type DeliveryCounts = Fields<typeof counts>;

const replay = {
  replaySeries: id,
  state: oneOf(REPLAY_STATES),
  from: time,
  to: time,
  eventType: described(orNull(text), "null for all types."),
  status: orNull(oneOf(DELIVERY_STATUSES)),
  includeUnrouted: flag,
  askedAt: time,
  finishedAt: orNull(time),
  created: described(count, "Deliveries created so far."),
  expected: described(count, "Deliveries of the whole replay, unless it is stopped."),
};
export type ReplayView = Fields<typeof replay>;

export const replayListValue = record({ items: list(record(replay)) });
export const replayValue = record({
  ...replay,
  deliveries: described(record(counts), "Status of the deliveries created so far."),
});
export type ReplayDetail = Answer<typeof replayValue>;

export const statisticsValue = record({
  interval: oneOf(STATISTICS_INTERVALS),
  from: time,
  to: time,
  items: described(
    list(record({ at: time, ...counts })),
    "Every interval of the range in UTC, oldest first, by the time of the event.",
  ),
});
export type Statistics = Answer<typeof statisticsValue>;
