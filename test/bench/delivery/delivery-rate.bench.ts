/** Deliveries a second, from the committed event to its stored outcome. */
import { anEvent } from "../frame/an-event.ts";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { bareAttempt } from "./bare-attempt.ts";
import { deliverAll } from "./deliver-all.ts";
import { openDeliveryPath } from "./delivery-path.ts";

const BARE: FloorFacts = {
  name: "bare loop: sign and POST over TLS",
  fairBecause:
    "the same requests to the same receiver, as many under way; no event is taken in, planned or stored",
  measure: "rate",
  atLeast: 0.4,
};

export const bench: BenchSpec = {
  name: "deliveries, event committed to 2xx recorded",
  issue: 6,
  hotPath: "rate",
  // As many requests under way as the service has: so many to each of the partners.
  concurrency: 128,
  rounds: 9,
  async setup(env) {
    const path = await openDeliveryPath(env);
    const send = bareAttempt(path);
    return {
      workload: { name: "record, plan, send, store", run: await deliverAll(path) },
      floors: [{ ...BARE, run: (window) => runInFlight(window, () => send(anEvent())) }],
    };
  },
};
