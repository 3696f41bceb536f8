/** A process whose clock is wrong and moves: libfaketime, from Debian's package where it is not installed. */
import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { fetchDebianProgram } from "../../../deploy/local/archives/debian-package.ts";
import type { LabStage } from "./stage.ts";

const LIBRARY = "libfaketimeMT.so.1";
const TRIPLETS: Record<string, string> = { arm64: "aarch64-linux-gnu", x64: "x86_64-linux-gnu" };

/** Null where it cannot be had; `tell` gets the reason. */
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

type FakeClock = {
  move(offsetSeconds: number): void;
  remove(): Promise<void>;
};

/** Restarts the process with a clock that is off by so many seconds. */
export async function giveFakeClock(
  stage: LabStage,
  name: string,
  library: string,
  offsetSeconds: number,
): Promise<FakeClock> {
  const env = stage.envOf(name);
  const file = join(stage.paths.logDir, `${name}.clock`);
  const move = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  const added = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    // A monotonic clock that jumps would be a fault of another kind, which no machine has.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  move(offsetSeconds);
  Object.assign(env, added);
  await stage.restart(name);
  return {
    move,
    async remove() {
      for (const key of Object.keys(added)) delete env[key];
      await stage.restart(name);
    },
  };
}
