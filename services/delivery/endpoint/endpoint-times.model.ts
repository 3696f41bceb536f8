/** When an endpoint last took an event, and when it last did not. */
import { type Connection, type Model, Schema } from "mongoose";

export type EndpointTimes = {
  /** The endpoint id. */
  _id: string;
  lastSuccessAt?: Date;
  lastFailureAt?: Date;
};

const endpointTimesSchema = new Schema<EndpointTimes>(
  { _id: { type: String, required: true }, lastSuccessAt: Date, lastFailureAt: Date },
  { collection: "endpoint_times", versionKey: false, strict: "throw" },
);

export const endpointTimesModel = (connection: Connection): Model<EndpointTimes> =>
  connection.model<EndpointTimes>("EndpointTimes", endpointTimesSchema);
