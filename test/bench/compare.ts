/**
 * A hot path in two versions: the services of this checkout beside those of another one, by turns on the same servers,
 * under the load of this one. The other checkout needs its node_modules; its layout may differ.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { projectDir } from "../../deploy/lib/paths.ts";
import { createEnv } from "./frame/env.ts";
import type { BenchSpec, FloorFacts } from "./frame/spec.ts";

/** This number of rounds leaves an interval of about five per cent on each side on a machine that others share; nine left twice that. */
const ROUNDS = 31;
/** "Not slower" is within five per cent: exactly equal versions would never be decided otherwise. */
const MARGIN = 0.05;

export function againstCheckout(spec: BenchSpec, dir: string): BenchSpec {
  const otherDir = resolve(dir);
  for (const needed of ["moleculer.config.ts", "node_modules/moleculer"])
    if (!existsSync(join(otherDir, needed))) throw new Error(`${otherDir} has no ${needed}.`);
  return {
    ...spec,
    rounds: ROUNDS,
    async setup(env) {
      const now = await spec.setup(env);
      const other = createEnv(otherDir);
      env.onClose(other.close);
      env.meterToo(other.processes);
      const then = await spec.setup(other.env);
      return {
        workload: { name: `this checkout, ${commitOf(projectDir)}`, run: now.workload.run },
        floors: [{ ...before(spec.hotPath ?? "rate", otherDir), run: then.workload.run }],
      };
    },
  };
}

const before = (measure: "rate" | "p50", dir: string): FloorFacts => ({
  name: `the other checkout, ${commitOf(dir)}`,
  fairBecause: "the same load, servers and machine by turns; only the services' code differs",
  goals: [measure === "rate" ? { measure, atLeast: 1 - MARGIN } : { measure, atMost: 1 + MARGIN }],
});

function commitOf(dir: string): string {
  try {
    const args = ["-C", dir, "describe", "--always", "--dirty"];
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "commit unknown";
  }
}
