/** State of an endpoint that outlives its holder, beside what the registry knows. */
import { type Connection, type Model, Schema } from "mongoose";

export type EndpointState = {
  /** The endpoint id. */
  _id: string;
  /** Null in what a release without partitions stored. */
  partition: number | null;
  /** The receiver answered Retry-After: no request before. */
  pausedUntil: Date | null;
  /** Healed: its waiting retries are being made due. */
  recoveringSince: Date | null;
};

const endpointStateSchema = new Schema<EndpointState>(
  {
    _id: { type: String, required: true },
    partition: { type: Number, default: null },
    pausedUntil: { type: Date, default: null },
    recoveringSince: { type: Date, default: null },
  },
  { collection: "endpoint_states", versionKey: false, strict: "throw" },
);

// A look at what is due asks for those of the partitions that are held.
endpointStateSchema.index({ partition: 1 }, { name: "partition" });

export const endpointStateModel = (connection: Connection): Model<EndpointState> =>
  connection.model<EndpointState>("EndpointState", endpointStateSchema);
