/** How long an event takes to its receiver when there is little to do. */
import { AckPolicy, connect } from "nats";
import type { BenchEnv } from "../frame/env.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { bareAttempt } from "./bare-attempt.ts";
import { openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const PER_SECOND = 50;
const BARE: FloorFacts = {
  name: "bare JetStream, sign and POST over TLS",
  fairBecause:
    "the same pace, message bus and receiver; the event is neither recorded nor planned before it is sent",
  measure: "p50",
};

export const bench: BenchSpec = {
  name: `event committed to first byte at the receiver, ${PER_SECOND} events/s`,
  issue: 6,
  hotPath: "p50",
  async setup(env) {
    const path = await openDeliveryPath(env);
    const partnerId = await path.aPartner();
    const send = bareAttempt(path.receiver.agent);
    const bare = await openBareJetStream(
      env,
      (body) => void send({ url: path.receiver.url(), eventId: JSON.parse(body).eventId as string, body }),
    );
    const barePath = {
      receiver: path.receiver,
      publish: (entries: readonly { body: string }[]) =>
        Promise.all(entries.map(({ body }) => bare.publish(body))),
    };
    return {
      workload: { name: "first attempt", run: (window) => steadyLoad(path, partnerId, window, PER_SECOND) },
      floors: [{ ...BARE, run: (window) => steadyLoad(barePath, partnerId, window, PER_SECOND) }],
    };
  },
};

/** Floor: publish and consume as the client library does them, on a stream with default settings. */
async function openBareJetStream(env: BenchEnv, handle: (body: string) => void) {
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
