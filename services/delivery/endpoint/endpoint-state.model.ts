/** State of an endpoint that outlives the owner of its partition. The registry has the endpoint itself. */
import { type Connection, type Model, Schema } from "mongoose";

export type EndpointState = {
  /** The endpoint id. */
  _id: string;
  /** Set while the endpoint is paused or recovers, for the owner of the partition. */
  partition?: number;
  /** The receiver answered Retry-After: no request before. */
  pausedUntil?: Date;
  /** The endpoint healed: its waiting retries are being made due. */
  recoveringSince?: Date;
  lastSuccessAt?: Date;
  lastFailureAt?: Date;
};

const endpointStateSchema = new Schema<EndpointState>(
  {
    _id: { type: String, required: true },
    partition: Number,
    pausedUntil: Date,
    recoveringSince: Date,
    lastSuccessAt: Date,
    lastFailureAt: Date,
  },
  { collection: "endpoint_states", versionKey: false, strict: "throw" },
);

/** For the due loop: the endpoints of its partitions that are paused or recover. */
endpointStateSchema.index({ partition: 1 }, { name: "partition", sparse: true });

export const endpointStateModel = (connection: Connection): Model<EndpointState> =>
  connection.model<EndpointState>("EndpointState", endpointStateSchema);
