/** Endpoints that hang must not delay one that answers. */
import { anEvent } from "../frame/an-event.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { type DeliveryPath, openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const ALONE: FloorFacts = {
  name: "alone",
  fairBecause:
    "the same services, pace and receiver in a namespace of their own; only the hanging ones are missing",
  measure: "p99",
  atMost: 1.3,
};
const HANGING = 50;
const PER_SECOND = 50;
/** Each of them gets an event a second: more than it can take, so that its queue grows all the while. */
const PAUSE_MS = 1_000 / HANGING;

export const bench: BenchSpec = {
  name: `a healthy endpoint beside ${HANGING} that hang, ${PER_SECOND} events/s`,
  issue: 6,
  roundMs: 4_000,
  rounds: 9,
  async setup(env) {
    const quiet = await openDeliveryPath(env);
    const busy = await openDeliveryPath(env, { PBO_NAMESPACE: `${env.namespace}b` });
    const [alone, beside] = [await quiet.aPartner(), await busy.aPartner()];
    const hanging = await Promise.all(Array.from({ length: HANGING }, (_, i) => busy.aPartner(`/hang/${i}`)));
    env.onClose(feed(busy, hanging));
    return {
      workload: {
        name: `beside ${HANGING} that hang`,
        run: (window) => steadyLoad(busy, beside, window, PER_SECOND),
      },
      floors: [{ ...ALONE, run: (window) => steadyLoad(quiet, alone, window, PER_SECOND) }],
    };
  },
};

function feed(path: DeliveryPath, partners: readonly string[]): () => void {
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    void path.publish([anEvent(partners[turn % partners.length] ?? "")]);
  }, PAUSE_MS);
  return () => clearInterval(timer);
}
