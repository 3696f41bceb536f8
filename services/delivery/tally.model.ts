import { type Connection, type Model, Schema } from "mongoose";

/** How many finished deliveries of a partner belong to one day, by status and event type. */
export type Tally = {
  /** <partnerId>/<day> */
  _id: string;
  partnerId: string;
  /** Midnight UTC of the day the events occurred. */
  day: Date;
  /** By tallyKey. */
  counts: Record<string, number>;
};

const tallySchema = new Schema<Tally>(
  {
    _id: { type: String, required: true },
    partnerId: { type: String, required: true },
    day: { type: Date, required: true },
    counts: { type: Schema.Types.Mixed, default: {} },
  },
  { collection: "delivery_tallies", versionKey: false, strict: "throw" },
);

tallySchema.index({ partnerId: 1, day: 1 }, { name: "days" });

export const tallyModel = (connection: Connection): Model<Tally> =>
  connection.model<Tally>("DeliveryTally", tallySchema);
