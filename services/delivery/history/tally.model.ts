/** Counts of the finished deliveries of a partner in a span of time, by status and event type. */
import type { TallyKind } from "./tally.rules.ts";

export type Tally = {
  /** <partnerId>/<kind>/<time> */
  _id: string;
  partnerId: string;
  kind: TallyKind;
  /** The beginning of the span, by when the events occurred. */
  at: Date;
  /** By tallyKey. */
  counts: Record<string, number>;
};
