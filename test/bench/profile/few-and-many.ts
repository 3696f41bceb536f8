/** A row for reads whose cost must not follow the size of the collection. */
import type { BenchEnv } from "../frame/env.ts";
import type { BenchSpec, Goal, Workload } from "../frame/spec.ts";
import { type Filled, openFilled } from "./many-profiles.ts";

type Load = (env: BenchEnv, filled: Filled, paths: readonly string[]) => Promise<Workload["run"]>;

type Row = {
  name: string;
  issue: number;
  concurrency: number;
  goal: Goal;
  /** Of the large collection. */
  customers: number;
  pathsOf(filled: Filled): string[];
  /** Who asks for them, and how; the partner's API client unless given. */
  load?: Load;
};

const byApiClient: Load = async (env, { url, headers }, paths) =>
  env.http({
    url,
    requests: async () => {
      const own = await headers();
      return paths.map((path) => ({ method: "GET", path, headers: own }));
    },
  });

export const fewAndMany = ({ pathsOf, goal, customers, load = byApiClient, ...row }: Row): BenchSpec => ({
  ...row,
  async setup(env) {
    const few = await openFilled(env, `${env.namespace}a`, 1_000);
    const many = await openFilled(env, `${env.namespace}b`, customers);
    return {
      workload: {
        name: `with ${customers.toLocaleString("en-US")} customers`,
        run: await load(env, many, pathsOf(many)),
      },
      floors: [
        {
          ...goal,
          name: "with 1,000 customers",
          fairBecause:
            "the same services and requests, each with a database of its own; only the number of customers differs",
          run: await load(env, few, pathsOf(few)),
        },
      ],
    };
  },
});
