/** Floor: a service with one action behind a broker with default settings. Arguments: NATS address, namespace. */
import { ServiceBroker } from "moleculer";

const [, , address = "", namespace = ""] = process.argv;

const transporter = { type: "NATS" as const, options: { servers: address.split(",") } };
const broker = new ServiceBroker({ namespace, nodeID: "echo", transporter, logger: false });
broker.createService({ name: "echo", actions: { ping: () => ({ isSuccess: true, value: { pong: true } }) } });
await broker.start();
