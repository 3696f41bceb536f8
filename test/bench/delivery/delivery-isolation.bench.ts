import type { BenchSpec } from "../frame/spec.ts";
import { anEvent, type DeliveryPath, openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const ALONE = "alone";
const HANGING = 50;
const PER_SECOND = 50;
/** More than an endpoint that hangs can take, so that its queue grows all the while. */
const EVENTS_PER_HANGING_ENDPOINT = 20;

export const bench: BenchSpec = {
  name: `a healthy endpoint beside ${HANGING} that hang, ${PER_SECOND} events/s`,
  issue: 6,
  goals: [{ measure: "p99", against: ALONE, atMost: 2 }],
  roundMs: 4_000,
  async setup(env) {
    const quiet = await openDeliveryPath(env);
    const busy = await openDeliveryPath(env, { PBO_NAMESPACE: `${env.namespace}b` });
    const [alone, beside] = [await quiet.aPartner(), await busy.aPartner()];
    const hanging = await Promise.all(Array.from({ length: HANGING }, (_, i) => busy.aPartner(`/hang/${i}`)));
    return {
      workload: {
        name: `beside ${HANGING} that hang`,
        run: async (window) => {
          await flood(busy, hanging);
          return steadyLoad(busy, beside, window, PER_SECOND);
        },
      },
      floors: [{ name: ALONE, run: (window) => steadyLoad(quiet, alone, window, PER_SECOND) }],
      async teardown() {
        await quiet.close();
        await busy.close();
      },
    };
  },
};

const flood = (path: DeliveryPath, partners: readonly string[]) =>
  path.publish(Array.from({ length: EVENTS_PER_HANGING_ENDPOINT }, () => partners.map(anEvent)).flat());
