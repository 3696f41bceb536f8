/** Finds the platform that `npm start` runs here, for the commands that call it as a partner would. */
import { existsSync, readFileSync } from "node:fs";
import type { DemoData } from "./demo-data.ts";
import { statePaths } from "./paths.ts";

const ANSWER_WITHIN_MS = 5_000;
const START_IT = "Run npm start in another terminal, wait until it says that it is running, and try again.";

const BEGIN_ANEW = (stateDir: string) =>
  `Stop npm start, remove ${stateDir} and start it again: a clean start, without the data of before.`;

/** Fails with what to do when nothing runs, or when what it left behind is broken. */
export async function findPlatform(stateDir: string): Promise<DemoData> {
  const { demoFile } = statePaths(stateDir);
  if (!existsSync(demoFile)) throw new Error(`No local platform was found (${demoFile}).\n${START_IT}`);
  const demo = readDemoData(demoFile);
  // The file stays when the platform stops.
  await fetch(`${demo.baseUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => {
    throw new Error(`The local platform does not answer at ${demo.baseUrl}.\n${START_IT}`);
  });
  const lost = demo.partners.flatMap(({ privateKeyFile }) =>
    existsSync(privateKeyFile) ? [] : [privateKeyFile],
  );
  if (lost.length > 0)
    throw new Error(`The key of a demo partner is gone: ${lost.join(", ")}.\n${BEGIN_ANEW(stateDir)}`);
  return demo;

  function readDemoData(file: string): DemoData {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as DemoData;
    } catch (cause) {
      throw new Error(`${file} cannot be read.\n${BEGIN_ANEW(stateDir)}`, { cause });
    }
  }
}
