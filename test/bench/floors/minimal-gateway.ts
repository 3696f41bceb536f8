/** Floor: moleculer-web with its default settings and one alias. Arguments: NATS address, namespace, port, alias, action. */
import { ServiceBroker } from "moleculer";
import ApiGateway from "moleculer-web";

const [, , address = "", namespace = "", port = "", alias = "", action = ""] = process.argv;

const transporter = { type: "NATS" as const, options: { servers: address.split(",") } };
const broker = new ServiceBroker({ namespace, nodeID: "minimal-gateway", transporter, logger: false });
broker.createService({
  name: "api",
  mixins: [ApiGateway],
  settings: { port: Number(port), ip: "127.0.0.1", routes: [{ path: "/", aliases: { [alias]: action } }] },
});
await broker.start();
