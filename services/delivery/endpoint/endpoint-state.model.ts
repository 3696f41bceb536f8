/** What every worker must know about an endpoint, beyond what the registry says. */
import { type Connection, type Model, Schema } from "mongoose";

export type EndpointState = {
  /** The endpoint id. */
  _id: string;
  /** The receiver answered Retry-After: no request before. */
  pausedUntil: Date | null;
  /** It works again: its waiting retries are still being made due. */
  recoveringSince: Date | null;
};

const endpointStateSchema = new Schema<EndpointState>(
  {
    _id: { type: String, required: true },
    pausedUntil: { type: Date, default: null },
    recoveringSince: { type: Date, default: null },
  },
  { collection: "endpoint_states", versionKey: false, strict: "throw" },
);

export const endpointStateModel = (connection: Connection): Model<EndpointState> =>
  connection.model<EndpointState>("EndpointState", endpointStateSchema);
