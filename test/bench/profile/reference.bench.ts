/** The same request with 1,000 and with 200,000 customers: its cost must not follow the collection. */
import type { BenchSpec } from "../frame/spec.ts";
import { type Filled, openFilled } from "./many-profiles.ts";
import { PROFILES } from "./profile-path.ts";

const FLOOR = "with 1,000 customers";

export const bench: BenchSpec = {
  name: "read by reference",
  issue: 4,
  concurrency: 8,
  goals: [{ measure: "p50", against: FLOOR, atMost: 1.5 }],
  async setup(env) {
    const few = await openFilled(env, `${env.namespace}a`, 1_000);
    const many = await openFilled(env, `${env.namespace}b`, 200_000);
    const load = (name: string, filled: Filled) =>
      env.httpWorkload(name, { url: filled.url, requests: () => requestsOf(filled) });
    return {
      workload: load("with 200,000 customers", many),
      floors: [load(FLOOR, few)],
      async teardown() {
        await Promise.all([few.close(), many.close()]);
      },
    };
  },
};

async function requestsOf({ headers, reference, count }: Filled) {
  const sent = await headers();
  return Array.from({ length: 200 }, (_, index) => ({
    method: "GET",
    path: `${PROFILES}/by-reference/${reference(Math.floor((index * count) / 200))}`,
    headers: sent,
  }));
}
