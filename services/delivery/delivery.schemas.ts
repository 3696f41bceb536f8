/** Queries and bodies, for the API document; history.rules.ts and replay.rules.ts judge, because each rule has its own code. */
import {
  DELIVERY_STATUSES,
  FAILURE_KINDS,
  RESPONSE_CLASSES,
  STATISTICS_INTERVALS,
} from "../../shared/contract/vocabularies.ts";
import { about, type ValidationSchema } from "../../shared/input/validation.ts";
import { TIME_PATTERN } from "../../shared/iso-time.rules.ts";

const when = { type: "string", optional: true } as const;
const eventType = { type: "string", optional: true } as const;
const status = { type: "enum", values: [...DELIVERY_STATUSES], optional: true } as const;
const pageSize = { type: "number", integer: true, min: 1, max: 200, optional: true } as const;

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
    ...about("The status class of the last answer; none without an answer."),
  },
  errorKind: {
    type: "enum",
    values: [...FAILURE_KINDS],
    optional: true,
    ...about("Why the last attempt failed."),
  },
  cursor: {
    type: "string",
    optional: true,
    ...about("nextCursor of the page before, or empty to begin; page and total are null then."),
  },
  page: { type: "number", integer: true, min: 1, optional: true },
  pageSize,
};

export const eventFeedQuery: ValidationSchema = {
  cursor: {
    type: "string",
    optional: true,
    ...about("nextCursor of the page before; the oldest events when left out."),
  },
  pageSize,
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
