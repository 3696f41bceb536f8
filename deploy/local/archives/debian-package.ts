/** Takes a program from a Debian package without installing it: installing would start its server. */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "./run-command.ts";

const WITHIN_MS = 3 * 60_000;

export async function fetchDebianProgram(
  { packageName, from }: { packageName: string; from: string },
  cache: string,
  to: string,
): Promise<void> {
  const dir = await mkdtemp(join(cache, ".tmp-"));
  try {
    const download = () =>
      runCommand("apt-get", ["download", packageName], { withinMs: WITHIN_MS, cwd: dir });
    let result = await download();
    if (!result.ok && process.getuid?.() === 0) {
      await runCommand("apt-get", ["update"], { withinMs: WITHIN_MS });
      result = await download();
    }
    const file = (await readdir(dir)).find((name) => name.endsWith(".deb"));
    if (!result.ok || !file)
      throw new Error(`apt-get download ${packageName}: ${result.stderr.trim().split("\n").at(-1)}`);
    const unpacked = await runCommand("dpkg-deb", ["-x", join(dir, file), join(dir, "root")], {
      withinMs: WITHIN_MS,
    });
    if (!unpacked.ok) throw new Error(`dpkg-deb: ${unpacked.stderr.trim()}`);
    await mkdir(dirname(to), { recursive: true });
    await rename(join(dir, "root", from), to);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
