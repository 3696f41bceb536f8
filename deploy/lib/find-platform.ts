/** Finds the platform that `npm start` runs here, for the commands that call it as a partner would. */
import { existsSync, readFileSync } from "node:fs";
import type { DemoData } from "./demo-data.ts";
import { statePaths } from "./paths.ts";

const ANSWER_WITHIN_MS = 5_000;
const START_IT = "Run npm start in another terminal, wait until it says that it is running, and try again.";

/** Fails with what to do when nothing runs. */
export async function findPlatform(stateDir: string): Promise<DemoData> {
  const { demoFile } = statePaths(stateDir);
  if (!existsSync(demoFile)) throw new Error(`No local platform was found (${demoFile}).\n${START_IT}`);
  const demo = JSON.parse(readFileSync(demoFile, "utf8")) as DemoData;
  // The file stays when the platform stops.
  await fetch(`${demo.baseUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => {
    throw new Error(`The local platform does not answer at ${demo.baseUrl}.\n${START_IT}`);
  });
  return demo;
}
