/** Finds or fetches promtool, which checks alert rules the way Prometheus reads them. */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { cacheDir } from "../../deploy/local/paths.ts";
import { findProgram, isExecutable } from "../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../shared/config.ts";

const WITHIN_MS = 3 * 60_000;
const PACKAGE = "prometheus";

export async function findPromtool(): Promise<string> {
  const cached = join(cacheDir(), "promtool-debian", "promtool");
  const installed = findProgram("promtool", processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);
  if (installed) return installed;
  if (!isExecutable(cached)) await fetchPackage(cached);
  return cached;
}

/** Debian's package is unpacked and not installed: installing it would start a Prometheus server. */
async function fetchPackage(to: string): Promise<void> {
  const dir = await mkdtemp(join(cacheDir(), ".tmp-"));
  try {
    const download = () => runCommand("apt-get", ["download", PACKAGE], { withinMs: WITHIN_MS, cwd: dir });
    let result = await download();
    if (!result.ok && process.getuid?.() === 0) {
      await runCommand("apt-get", ["update"], { withinMs: WITHIN_MS });
      result = await download();
    }
    const file = (await readdir(dir)).find((name) => name.endsWith(".deb"));
    if (!result.ok || !file) throw new Error(howToGetIt(result.stderr));
    const unpacked = await runCommand("dpkg-deb", ["-x", join(dir, file), join(dir, "root")], {
      withinMs: WITHIN_MS,
    });
    if (!unpacked.ok) throw new Error(howToGetIt(unpacked.stderr));
    await mkdir(join(to, ".."), { recursive: true });
    await rename(join(dir, "root", "usr", "bin", "promtool"), to);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const howToGetIt = (reason: string): string =>
  [
    `No promtool could be had: ${reason.trim().split("\n").at(-1)}`,
    "What helps, one of:",
    "  - install it: apt-get install prometheus",
    "  - put the promtool program of a Prometheus release on the PATH",
  ].join("\n");
