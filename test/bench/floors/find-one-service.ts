/** Floor: a service that answers with one document, read by its id. Arguments: NATS address, namespace, MongoDB address, database. */
import { ServiceBroker } from "moleculer";
import { createConnection } from "mongoose";

const [, , address = "", namespace = "", mongodbUri = "", dbName = ""] = process.argv;

const connection = await createConnection(mongodbUri, {
  dbName,
  readConcern: { level: "majority" },
}).asPromise();
const collection = connection.collection<{ _id: string }>("business_profiles");
const transporter = { type: "NATS" as const, options: { servers: address.split(",") } };
const broker = new ServiceBroker({ namespace, nodeID: "find-one", transporter, logger: false });
broker.createService({
  name: "floor",
  actions: {
    get: ({ params }: { params: { id: string } }) =>
      collection.findOne({ _id: params.id }, { projection: { audit: 0, outbox: 0 } }),
  },
});
await broker.start();
