/** Takes programs from Debian packages without installing them: installing would start a server, and needs root. */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CommandResult, runCommand } from "./run-command.ts";

const WITHIN_MS = 3 * 60_000;

export async function fetchDebianProgram(
  { packageName, from }: { packageName: string; from: string },
  cache: string,
  to: string,
): Promise<void> {
  await inTemporary(cache, async (dir) => {
    const root = await unpackPackages([packageName], dir);
    await mkdir(dirname(to), { recursive: true });
    await rename(join(root, from), to);
  });
}

/** The package with all that it needs and this machine does not have, below one directory. */
export async function fetchDebianTree(packageName: string, cache: string, to: string): Promise<void> {
  await inTemporary(cache, async (dir) => {
    const root = await unpackPackages(await missingFor(packageName), dir);
    await rename(root, to);
  });
}

async function inTemporary(cache: string, work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(cache, ".tmp-"));
  try {
    await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function missingFor(packageName: string): Promise<string[]> {
  const args = ["install", "--simulate", "--no-install-recommends", packageName];
  const { ok, stdout, stderr } = await withNewLists(() =>
    runCommand("apt-get", args, { withinMs: WITHIN_MS }),
  );
  if (!ok) throw new Error(`apt-get install --simulate ${packageName}: ${lastLine(stderr)}`);
  return [...stdout.matchAll(/^Inst (\S+) /gm)].map(([, name = ""]) => name);
}

async function unpackPackages(names: readonly string[], dir: string): Promise<string> {
  const download = () => runCommand("apt-get", ["download", ...names], { withinMs: WITHIN_MS, cwd: dir });
  const { ok, stderr } = await withNewLists(download);
  const files = (await readdir(dir)).filter((name) => name.endsWith(".deb"));
  if (!ok || files.length < names.length)
    throw new Error(`apt-get download ${names.join(" ")}: ${lastLine(stderr)}`);
  const root = join(dir, "root");
  for (const file of files) {
    const unpacked = await runCommand("dpkg-deb", ["-x", join(dir, file), root], { withinMs: WITHIN_MS });
    if (!unpacked.ok) throw new Error(`dpkg-deb: ${unpacked.stderr.trim()}`);
  }
  return root;
}

/** A fresh machine has no lists of packages, or old ones. */
async function withNewLists(command: () => Promise<CommandResult>): Promise<CommandResult> {
  const result = await command();
  if (result.ok || process.getuid?.() !== 0) return result;
  await runCommand("apt-get", ["update"], { withinMs: WITHIN_MS });
  return command();
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
