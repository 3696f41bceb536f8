/** Takes programs from Debian packages without installing them: installing would start a server, and needs root. */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lastLine, runCommand } from "./run-command.ts";

const WITHIN_MS = 3 * 60_000;

type Program = { packageName: string; from: string };

export const fetchDebianProgram = ({ packageName, from }: Program, cache: string, to: string) =>
  unpackPackages([packageName], from, cache, to);

/** The package and its dependencies that this machine lacks, below one directory. */
export async function fetchDebianTree(packageName: string, cache: string, to: string): Promise<void> {
  const plan = await apt(["install", "--simulate", "--no-install-recommends", packageName]);
  const missing = [...plan.matchAll(/^Inst (\S+) /gm)].map(([, name = ""]) => name);
  await unpackPackages(missing, "", cache, to);
}

async function unpackPackages(names: readonly string[], from: string, cache: string, to: string) {
  const dir = await mkdtemp(join(cache, ".tmp-"));
  const root = join(dir, "root");
  try {
    await apt(["download", ...names], dir);
    for (const file of await readdir(dir)) {
      const unpacked = await runCommand("dpkg-deb", ["-x", join(dir, file), root], { withinMs: WITHIN_MS });
      if (!unpacked.ok) throw new Error(`dpkg-deb: ${unpacked.stderr.trim()}`);
    }
    await mkdir(dirname(to), { recursive: true });
    await rename(join(root, from), to);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Updates the lists of packages if it fails: a fresh machine has none, or old ones. */
async function apt(args: readonly string[], cwd?: string): Promise<string> {
  const run = () => runCommand("apt-get", args, { withinMs: WITHIN_MS, ...(cwd ? { cwd } : {}) });
  let result = await run();
  if (!result.ok && process.getuid?.() === 0) {
    await runCommand("apt-get", ["update"], { withinMs: WITHIN_MS });
    result = await run();
  }
  if (!result.ok) throw new Error(`apt-get ${args.join(" ")}: ${lastLine(result.stderr)}`);
  return result.stdout;
}
