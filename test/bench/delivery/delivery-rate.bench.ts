/** Deliveries a second, from the committed event to its stored outcome. */
import { anEvent } from "../frame/an-event.ts";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec, FloorFacts, Window } from "../frame/spec.ts";
import { bareAttempt } from "./bare-attempt.ts";
import { openBullmqPath, redisServer, WITHOUT_REDIS } from "./bullmq-path.ts";
import { deliverAll } from "./deliver-all.ts";
import { openDeliveryPath } from "./delivery-path.ts";

const BARE: FloorFacts = {
  name: "bare loop: sign and POST over TLS",
  fairBecause:
    "the same requests to the same receiver, as many under way; no event is taken in, planned or stored",
  measure: "rate",
  atLeast: 0.55,
};
const BULLMQ: FloorFacts = {
  name: "BullMQ on Redis, AOF always: add, sign and POST over TLS, complete",
  fairBecause:
    "a queue that people use for webhooks: the same events, receiver and requests under way, one worker process, every change on the disk before it is answered; no body is kept for replays, no history, no registry, no limit per endpoint",
  measure: "rate",
  atLeast: 1.3,
};
/** As many requests under way as the service has: so many to each of the partners. */
const CONCURRENCY = 128;

export const bench: BenchSpec = {
  name: "deliveries, event committed to 2xx recorded",
  issue: 6,
  hotPath: "rate",
  concurrency: CONCURRENCY,
  rounds: 9,
  async setup(env) {
    const path = await openDeliveryPath(env);
    const { receiver } = path;
    const send = bareAttempt(receiver.agent);
    const sendOne = () => send({ url: receiver.url(), ...anEvent() });
    const bare = { ...BARE, run: (window: Window) => runInFlight(window, sendOne) };
    const workload = { name: "record, plan, send, store", run: await deliverAll(path) };
    const redis = redisServer();
    if (!redis) return { workload, floors: [bare], missing: [{ name: BULLMQ.name, because: WITHOUT_REDIS }] };
    const peer = await openBullmqPath(env, redis, path, CONCURRENCY);
    return { workload, floors: [bare, { ...BULLMQ, run: await deliverAll(peer) }] };
  },
};
