/** Finds the platform that `npm start` runs here, for the commands that call it as a partner would. */
import { existsSync } from "node:fs";
import type { DemoData } from "./demo-data.ts";
import { readJson } from "./files.ts";
import { statePaths } from "./paths.ts";

const ANSWER_WITHIN_MS = 5_000;
const START_IT = "Run npm start in another terminal, wait until it says that it is running, and try again.";

/** Fails with the remedy when no platform runs, or when its files are broken. */
export async function findPlatform(stateDir: string): Promise<DemoData> {
  const { demoFile } = statePaths(stateDir);
  const startClean = `Stop npm start, remove ${stateDir} and start it again. This deletes its data.`;
  if (!existsSync(demoFile)) throw new Error(`No local platform was found (${demoFile}).\n${START_IT}`);
  const demo = readJson<DemoData>(demoFile);
  if (!demo) throw new Error(`${demoFile} cannot be read.\n${startClean}`);
  // The file stays when the platform stops.
  await fetch(`${demo.baseUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => {
    throw new Error(`The local platform does not answer at ${demo.baseUrl}.\n${START_IT}`);
  });
  const lost = demo.partners.find(({ privateKeyFile }) => !existsSync(privateKeyFile));
  if (lost) throw new Error(`The key of a demo partner is gone: ${lost.privateKeyFile}.\n${startClean}`);
  return demo;
}
