/** Finds or downloads a nats-server. */
import { join } from "node:path";
import { processEnv } from "../../../shared/config/config.ts";
import { cacheDir } from "../../lib/paths.ts";
import { archiveOf } from "../archives/archives.ts";
import { fetchDebianProgram } from "../archives/debian-package.ts";
import { fetchArchive, isCached } from "../archives/fetch-archive.ts";
import { runCommand } from "../archives/run-command.ts";
import type { Report } from "../report.ts";
import { findProgram, isExecutable } from "./find-program.ts";

const VERSION_WITHIN_MS = 10_000;

type Source = (report: Report) => Promise<string | null>;

export async function findNatsServer(report: Report): Promise<string> {
  const failures: string[] = [];
  for (const source of SOURCES) {
    const path = await source(report).catch((error: Error) => {
      failures.push(error.message);
      return null;
    });
    if (!path) continue;
    const version = await runCommand(path, ["--version"], { withinMs: VERSION_WITHIN_MS });
    if (version.ok) return path;
    failures.push(`${path} does not run: ${version.stderr.trim()}`);
  }
  throw new Error(
    [
      "No nats-server could be had.",
      ...[...new Set(failures)].map((failure) => `  - ${failure}`),
      "What helps, one of:",
      "  - install it: apt-get install nats-server, or another package of nats-server 2.9.10 or newer",
      "  - put a nats-server program on the PATH",
      "  - set PBO_NATS_URL to a server that you run with JetStream",
    ].join("\n"),
  );
}

const installed: Source = async () =>
  findProgram("nats-server", processEnv().PATH, ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"]);

const cachedPackage: Source = async () => (isExecutable(unpackedPackage()) ? unpackedPackage() : null);

const debianPackage: Source = async (report) => {
  if (!findProgram("apt-get", processEnv().PATH, ["/usr/bin"])) return null;
  report.say("Fetching Debian's nats-server package");
  const program = { packageName: "nats-server", from: "usr/sbin/nats-server" };
  await fetchDebianProgram(program, cacheDir(), unpackedPackage());
  return unpackedPackage();
};

const npmArchive: Source = async (report) => {
  const archive = archiveOf("nats-server", process.arch);
  return archive ? join(await fetchArchive(archive, cacheDir(), report), "nats-server") : null;
};

/** Checked before any download, so that only the first start needs a network. */
const cachedArchive: Source = async (report) => {
  const archive = archiveOf("nats-server", process.arch);
  return archive && (await isCached(archive, cacheDir())) ? npmArchive(report) : null;
};

const SOURCES: readonly Source[] = [installed, cachedPackage, cachedArchive, debianPackage, npmArchive];

const unpackedPackage = (): string => join(cacheDir(), "nats-server-debian", "nats-server");
