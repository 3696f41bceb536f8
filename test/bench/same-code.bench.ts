/** The same code on both sides (A/A): how far apart two equal sides are on this machine. No other row can be finer. */
import type { BenchSpec, FloorFacts } from "./frame/spec.ts";
import { PING, startPing } from "./ping.bench.ts";

const EQUAL = { atLeast: 0.97, atMost: 1.03 };
const AGAIN: FloorFacts = {
  name: "the same once more",
  fairBecause: "the same services and requests in processes and a namespace of their own; nothing differs",
  goals: [{ measure: "rate", ...EQUAL }, { measure: "cpu", ...EQUAL }, { measure: "p99" }],
};
const cpuOf = ["gateway", "profile", "nats"];

export const bench: BenchSpec = {
  name: "A/A: the same code on both sides, ping through gateway, NATS and a service",
  issue: 41,
  rounds: 31,
  async setup(env) {
    const [one, again] = [await startPing(env), await startPing(env, `${env.namespace}b`)];
    return {
      workload: { name: "gateway", cpuOf, run: env.http({ url: one, requests: PING }) },
      floors: [{ ...AGAIN, cpuOf, run: env.http({ url: again, requests: PING }) }],
    };
  },
};
