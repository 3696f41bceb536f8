/** Endpoints that hang must not delay one that answers. */
import { anEvent } from "../frame/an-event.ts";
import type { BenchEnv } from "../frame/env.ts";
import type { BenchSpec, FloorFacts, Workload } from "../frame/spec.ts";
import { openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const NEIGHBOURS = 50;
/** To the one that is measured, and to all of its neighbours together. */
const PER_SECOND = 50;
const ANSWERING: FloorFacts = {
  name: `beside ${NEIGHBOURS} that answer`,
  fairBecause:
    "the same services, events and receivers in a namespace of their own; both run all the time, so both meet the same machine; only the neighbours' silence differs",
  goals: [{ measure: "p99", atMost: 1.3, pooled: true }],
};

export const bench: BenchSpec = {
  name: `a healthy endpoint beside ${NEIGHBOURS} that hang, ${PER_SECOND} events/s to it and ${PER_SECOND} to them`,
  issue: 6,
  roundMs: 4_000,
  rounds: 15,
  async setup(env) {
    const answering = await besideNeighbours(env, env.namespace, "/hook");
    const hanging = await besideNeighbours(env, `${env.namespace}b`, "/hang");
    return {
      workload: { name: `beside ${NEIGHBOURS} that hang`, run: hanging },
      floors: [{ ...ANSWERING, run: answering }],
    };
  },
};

/** Neighbours have receivers in another process: their handshakes must not delay the clock of the healthy one. */
async function besideNeighbours(env: BenchEnv, namespace: string, at: string): Promise<Workload["run"]> {
  const { receiver, newReceiver, aPartner, publish } = await openDeliveryPath(env, {
    PBO_NAMESPACE: namespace,
  });
  const theirs = await newReceiver();
  const healthy = await aPartner();
  const neighbours = await Promise.all(
    Array.from({ length: NEIGHBOURS }, (_, index) => aPartner(theirs.url(`${at}/${index}`))),
  );
  let turn = 0;
  const feed = () => {
    turn += 1;
    void publish([anEvent(neighbours[turn % NEIGHBOURS])]);
  };
  // More than a hanging one can take: its queue grows all the while.
  const timer = setInterval(feed, 1_000 / PER_SECOND);
  env.onClose(() => clearInterval(timer));
  const publishOne = () => {
    const entry = anEvent(healthy);
    return { key: entry.eventId, done: publish([entry]) };
  };
  return (window) => steadyLoad({ receiver, publishOne }, window, PER_SECOND);
}
