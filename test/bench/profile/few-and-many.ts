/** A row for reads whose cost must not follow the size of the collection. */
import type { BenchSpec, Goal } from "../frame/spec.ts";
import { type Filled, openFilled } from "./many-profiles.ts";

type Row = {
  name: string;
  issue: number;
  concurrency: number;
  goal: Goal;
  pathsOf(filled: Filled): string[];
  /** Of whom the requests are; the partner's API client unless given. */
  headersOf?(filled: Filled): Promise<() => Promise<Record<string, string>>>;
};

export const fewAndMany = ({ name, issue, concurrency, goal, pathsOf, headersOf }: Row): BenchSpec => ({
  name,
  issue,
  concurrency,
  async setup(env) {
    const few = await openFilled(env, `${env.namespace}a`, 1_000);
    const many = await openFilled(env, `${env.namespace}b`, 200_000);
    const load = async (filled: Filled) => {
      const headersNow = (await headersOf?.(filled)) ?? filled.headers;
      return env.http({
        url: filled.url,
        requests: async () => {
          const headers = await headersNow();
          return pathsOf(filled).map((path) => ({ method: "GET", path, headers }));
        },
      });
    };
    return {
      workload: { name: "with 200,000 customers", run: await load(many) },
      floors: [
        {
          ...goal,
          name: "with 1,000 customers",
          fairBecause:
            "the same services and requests, each with a database of its own; only the number of customers differs",
          run: await load(few),
        },
      ],
    };
  },
});
