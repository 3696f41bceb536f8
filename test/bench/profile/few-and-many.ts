/** A row for reads whose cost must not follow the size of the collection. */
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { type Filled, openFilled } from "./many-profiles.ts";

const FEW: FloorFacts = {
  name: "with 1,000 customers",
  fairBecause:
    "the same services and requests, each with a database of its own; only the number of customers differs",
  measure: "p50",
  atMost: 1.5,
};

export function fewAndMany(name: string, pathsOf: (filled: Filled) => string[]): BenchSpec {
  return {
    name,
    issue: 4,
    concurrency: 8,
    async setup(env) {
      const few = await openFilled(env, `${env.namespace}a`, 1_000);
      const many = await openFilled(env, `${env.namespace}b`, 200_000);
      const load = (filled: Filled) =>
        env.http({
          url: filled.url,
          requests: async () => {
            const headers = await filled.headers();
            return pathsOf(filled).map((path) => ({ method: "GET", path, headers }));
          },
        });
      return {
        workload: { name: "with 200,000 customers", run: load(many) },
        floors: [{ ...FEW, run: load(few) }],
      };
    },
  };
}
