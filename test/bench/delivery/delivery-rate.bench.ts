/** Deliveries a second, from the published event to its stored outcome. */
import { anEvent } from "../frame/an-event.ts";
import { runInFlight } from "../frame/in-flight.ts";
import { startRedis, WITHOUT_REDIS } from "../frame/redis.ts";
import type { BenchSpec, FloorFacts, Window } from "../frame/spec.ts";
import { bareAttempt } from "./bare-attempt.ts";
import { openBullmqPath, WORKER_ROLES } from "./bullmq-path.ts";
import { deliverAll } from "./deliver-all.ts";
import { openDeliveryPath } from "./delivery-path.ts";

const BARE: FloorFacts = {
  name: "bare loop: sign and POST over TLS",
  fairBecause:
    "the same requests to the same receiver, as many under way; no event is taken in, planned or stored",
  goals: [{ measure: "rate" }],
};
const BULLMQ: FloorFacts = {
  name: "BullMQ on Redis, AOF always: add, sign and POST over TLS, complete",
  fairBecause:
    "a queue that people use for webhooks: the same events, receiver and requests under way, one worker process, every change on the disk before it is answered; no body is kept for replays, no history, no registry, no limit per endpoint; on neither side a commit of the change that caused the event",
  // A third cheaper was the goal while it was judged by the rate, which load and receiver on the same cores hide.
  goals: [{ measure: "cpu", atMost: 1 / 1.3 }, { measure: "rate" }],
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
    const cpuOf = ["delivery", "webhook-registry", "mongod", "nats"];
    const workload = { name: "record, plan, send, store", cpuOf, run: await deliverAll(path) };
    const port = await startRedis(env);
    if (port === null)
      return { workload, floors: [bare], missing: [{ name: BULLMQ.name, because: WITHOUT_REDIS }] };
    const peer = await openBullmqPath(env, port, path, CONCURRENCY);
    return { workload, floors: [bare, { ...BULLMQ, cpuOf: WORKER_ROLES, run: await deliverAll(peer) }] };
  },
};
