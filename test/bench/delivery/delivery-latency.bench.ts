import type { BenchSpec } from "../frame/spec.ts";
import { openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const PER_SECOND = 50;

export const bench: BenchSpec = {
  name: `event committed to first byte at the receiver, ${PER_SECOND} events/s`,
  issue: 6,
  isHotPath: true,
  async setup(env) {
    const path = await openDeliveryPath(env);
    const partnerId = await path.aPartner();
    return {
      workload: { name: "first attempt", run: (window) => steadyLoad(path, partnerId, window, PER_SECOND) },
      floors: [],
      teardown: path.close,
    };
  },
};
