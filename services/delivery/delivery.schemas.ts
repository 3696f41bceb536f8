import type { ValidationSchema } from "../../shared/validation.ts";
import { DELIVERY_STATUSES } from "./delivery-status.ts";

/** For the API document; history.rules.ts and replay.rules.ts judge, because each rule has its own error code. */
const time = { type: "string", optional: true } as const;
const eventType = { type: "string", optional: true } as const;
const status = { type: "enum", values: [...DELIVERY_STATUSES], optional: true } as const;

export const historyQuery: ValidationSchema = {
  status,
  eventType,
  from: time,
  to: time,
  page: { type: "number", integer: true, min: 1, optional: true },
  pageSize: { type: "number", integer: true, min: 1, max: 200, optional: true },
};

export const replayBody: ValidationSchema = {
  from: { type: "string" },
  to: { type: "string" },
  eventType,
  status,
  includeUnrouted: { type: "boolean", optional: true },
};
