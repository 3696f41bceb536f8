/** The same request with 1,000 and with 200,000 customers: its cost must not follow the collection. */
import { encodeCursor } from "../../../services/profile/record/list-filter.rules.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { type Filled, openFilled } from "./many-profiles.ts";
import { PROFILES } from "./profile-path.ts";

const FLOOR = "with 1,000 customers";

export const bench: BenchSpec = {
  name: "list 50 by cursor",
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

/** Pages from everywhere in the list. */
async function requestsOf({ headers, idAt }: Filled) {
  const sent = await headers();
  return Array.from({ length: 40 }, (_, index) => {
    const cursor = index === 0 ? "" : encodeCursor(idAt(1 - index / 40));
    return { method: "GET", path: `${PROFILES}?pageSize=50&cursor=${cursor}`, headers: sent };
  });
}
