/** How many finished deliveries of a partner fall into a span of time, by status and event type. */
import { type Connection, type Model, Schema } from "mongoose";
import { RECORD_KEPT_SECONDS } from "../records/retention.rules.ts";
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

const tallySchema = new Schema<Tally>(
  {
    _id: { type: String, required: true },
    partnerId: { type: String, required: true },
    kind: { type: String, required: true },
    at: { type: Date, required: true },
    counts: { type: Schema.Types.Mixed, default: {} },
  },
  { collection: "delivery_tallies", versionKey: false, strict: "throw" },
);

tallySchema.index({ partnerId: 1, kind: 1, at: 1 }, { name: "spans" });
/** With the deliveries that they count. */
tallySchema.index({ at: 1 }, { name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS });

export const tallyModel = (connection: Connection): Model<Tally> =>
  connection.model<Tally>("DeliveryTally", tallySchema);
