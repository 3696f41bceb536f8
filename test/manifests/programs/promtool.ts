/** Finds or fetches promtool, which checks alert rules the way Prometheus reads them. */
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { fetchDebianProgram } from "../../../deploy/local/archives/debian-package.ts";
import { findProgram, isExecutable } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";

const PROGRAM = { packageName: "prometheus", from: "usr/bin/promtool" };

export async function findPromtool(): Promise<string> {
  const installed = findProgram("promtool", processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);
  if (installed) return installed;
  const cached = join(cacheDir(), "promtool-debian", "promtool");
  if (!isExecutable(cached))
    await fetchDebianProgram(PROGRAM, cacheDir(), cached).catch((error: Error) => {
      throw new Error(howToGetIt(error.message), { cause: error });
    });
  return cached;
}

const howToGetIt = (reason: string): string =>
  [
    `No promtool could be had: ${reason}`,
    "What helps, one of:",
    "  - install it: apt-get install prometheus",
    "  - put the promtool program of a Prometheus release on the PATH",
  ].join("\n");
