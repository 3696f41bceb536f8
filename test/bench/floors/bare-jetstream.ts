/** Floor: publish and consume as the client library does them, on a stream with default settings. */
import { AckPolicy, connect } from "nats";
import type { BenchEnv } from "../frame/env.ts";

export async function openBareJetStream(env: BenchEnv, handle: (body: string) => void) {
  const connection = await connect({ servers: env.servers.natsUrl.replace(/^nats:\/\//, "") });
  env.onClose(() => connection.close());
  const manager = await connection.jetstreamManager();
  const name = `BARE_${env.namespace}`;
  const subject = `bare.${env.namespace}`;
  await manager.streams.add({ name, subjects: [subject] });
  await manager.consumers.add(name, { durable_name: "bare", ack_policy: AckPolicy.Explicit });
  const client = connection.jetstream();
  const consumer = await client.consumers.get(name, "bare");
  const messages = await consumer.consume({
    callback: (message) => {
      handle(message.string());
      message.ack();
    },
  });
  // By itself the library goes on asking for messages over a closed connection.
  env.onClose(() => messages.close());
  return { publish: (body: string) => client.publish(subject, body) };
}
