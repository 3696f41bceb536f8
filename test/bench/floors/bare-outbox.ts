/**
 * Floor: stores what is posted, publishes it to JetStream, consumes it, and sends it signed over TLS, in one process.
 * Arguments: port, MongoDB address, database, NATS address, namespace, CA file, address of the receiver.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import mongoose from "mongoose";
import { AckPolicy, connect } from "nats";
import { Agent } from "undici";
import { bareAttempt } from "../delivery/bare-attempt.ts";

const [, , port = "", mongodbUri = "", dbName = "", natsUrl = "", namespace = "", caFile = "", url = ""] =
  process.argv;

const writeConcern = { w: "majority", journal: true } as const;
const mongo = await mongoose.mongo.MongoClient.connect(mongodbUri, { writeConcern });
const collection = mongo.db(dbName).collection<{ _id: string }>("customers");
const send = bareAttempt(new Agent({ connect: { ca: readFileSync(caFile, "utf8") }, connections: 256 }));
const connection = await connect({ servers: natsUrl.split(",") });
const manager = await connection.jetstreamManager();
const [name, subject] = [`BARE_${namespace}`, `bare.${namespace}`];
await manager.streams.add({ name, subjects: [subject] });
await manager.consumers.add(name, { durable_name: "bare", ack_policy: AckPolicy.Explicit });
const client = connection.jetstream();
const consumer = await client.consumers.get(name, "bare");
await consumer.consume({
  callback: (message) => {
    void send({ url, eventId: randomUUID(), body: message.string() });
    message.ack();
  },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.method === "POST") {
    await collection.insertOne({ ...JSON.parse(body), _id: randomUUID() });
    void client.publish(subject, body);
  }
  response.end('{"value":{}}');
}

createServer((request, response) => void answer(request, response)).listen(Number(port), "127.0.0.1");
