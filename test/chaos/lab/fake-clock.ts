/** A process whose clock is ahead: libfaketime, from Debian's package where it is not installed. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { fetchDebianProgram } from "../../../deploy/local/archives/debian-package.ts";
import type { LabStage } from "./stage.ts";

const LIBRARY = "libfaketimeMT.so.1";
const TRIPLETS: Record<string, string> = { arm64: "aarch64-linux-gnu", x64: "x86_64-linux-gnu" };
const AHEAD = "+5s";

/** Null where it cannot be had, with the reason told. */
export async function findFakeTime(tell: (reason: string) => void): Promise<string | null> {
  const [installed] = globSync(`/usr/lib/*/faketime/${LIBRARY}`);
  const cached = join(cacheDir(), "libfaketime-debian", LIBRARY);
  if (installed) return installed;
  if (existsSync(cached)) return cached;
  const from = `usr/lib/${TRIPLETS[process.arch]}/faketime/${LIBRARY}`;
  try {
    await fetchDebianProgram({ packageName: "libfaketime", from }, cacheDir(), cached);
    return cached;
  } catch (error) {
    tell(`no clock faults: libfaketime is neither installed nor to be had (${(error as Error).message})`);
    return null;
  }
}

/** Restarts the process with its clock ahead; the answer sets it right again. */
export async function setAhead(stage: LabStage, name: string, library: string): Promise<() => Promise<void>> {
  const env = stage.envOf(name);
  const restart = async () => {
    await stage.process(name).stop();
    await stage.process(name).start();
  };
  // A monotonic clock that jumps would be a fault of another kind, which no machine has.
  Object.assign(env, { LD_PRELOAD: library, FAKETIME: AHEAD, FAKETIME_DONT_FAKE_MONOTONIC: "1" });
  await restart();
  return async () => {
    for (const added of ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"]) delete env[added];
    await restart();
  };
}
