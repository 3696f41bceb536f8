/** Serves the files of `npm run build` from memory: the dashboard, the documentation and the API documents. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { etagOf, isNamed } from "./etag.ts";

type Encoding = keyof typeof COMPRESSED_ENDINGS | "identity";
type BuiltFile = { type: string; etag: string; as(encoding: Encoding): Promise<Uint8Array> };
type Headers = Readonly<Record<string, string>>;
type Fill = (text: string) => string;

/** Stands for the base URL in built files, because a build serves any installation. */
export const BASE_URL_MARK = "https://base-url.invalid";
/** A file of the build's folder; its time is the time of the build. */
export const BUILT_STAMP = "built";
export const COMPRESSED_ENDINGS = { br: ".br", gzip: ".gz" } as const;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
};

export type BuiltFiles = {
  /** Throws Route.NotFound. The name of a page is its path in the folder, without its ending. */
  send(request: EdgeRequest, response: EdgeResponse, name: string, headers: Headers): Promise<void>;
};

export function createBuiltFiles(dir: string, fill: Fill): BuiltFiles {
  let built: { at: number; files: ReadonlyMap<string, BuiltFile> } | null = null;

  /** A new build is served without a restart. */
  async function current(): Promise<ReadonlyMap<string, BuiltFile>> {
    const { mtimeMs } = await stat(join(dir, BUILT_STAMP)).catch(notBuilt);
    if (built?.at !== mtimeMs) built = { at: mtimeMs, files: await readBuilt(dir, fill) };
    return built.files;
  }

  return {
    async send(request, response, name, headers) {
      const file = (await current()).get(name);
      if (!file) throw new AppError("Route.NotFound", "This page does not exist.");
      await sendFile(request, response, file, headers);
    },
  };
}

async function readBuilt(dir: string, fill: Fill): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => TYPES[extname(name)]);
  const named = async (name: string) =>
    [name.replace(/(\/index)?\.html$/, ""), await readBuiltFile(join(dir, name), fill)] as const;
  return new Map(await Promise.all(names.map(named)));
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

async function readBuiltFile(path: string, fill: Fill): Promise<BuiltFile> {
  const text = await readFile(path, "utf8");
  const filled = fill(text);
  const bytes = Buffer.from(filled);
  const made = new Map<Encoding, Promise<Uint8Array>>([["identity", Promise.resolve(bytes)]]);
  if (filled === text)
    for (const encoding of ["br", "gzip"] as const)
      made.set(encoding, Promise.resolve(await readFile(path + COMPRESSED_ENDINGS[encoding])));
  return {
    type: TYPES[extname(path)] ?? "",
    etag: etagOf(bytes),
    as(encoding) {
      // The thread pool compresses a filled file once, for its first reader.
      const known = made.get(encoding) ?? compress[encoding as "br" | "gzip"](bytes);
      made.set(encoding, known);
      return known;
    },
  };
}

function notBuilt(cause: unknown): never {
  throw new AppError("Route.NotFound", "The pages are not built. Run `npm run build`.", { cause });
}

async function sendFile(
  request: EdgeRequest,
  response: EdgeResponse,
  file: BuiltFile,
  headers: Headers,
): Promise<void> {
  const encoding = encodingFor(request.headers["accept-encoding"] ?? "");
  // Other bytes need another tag (RFC 9110, 8.8.3).
  const etag = encoding === "identity" ? file.etag : file.etag.replace(/"$/, `-${encoding}"`);
  const always = { ...headers, ETag: etag, Vary: "Accept-Encoding" };
  if (isNamed(etag, request.headers["if-none-match"])) return void response.writeHead(304, always).end();
  const bytes = await file.as(encoding);
  await turn();
  response.writeHead(200, {
    ...always,
    "Content-Type": file.type,
    "Content-Length": bytes.byteLength,
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  });
  response.end(bytes);
}

/** A large file keeps the process busy for up to a ms, so other requests come between two files. */
const waiting: (() => void)[] = [];

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(sendNext);
  });

function sendNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(sendNext);
}

/** `;q=0` refuses an encoding; no client sends other weights for these two. */
function encodingFor(accepted: string): Encoding {
  const named = accepted
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(";")[0]);
  if (named.includes("br")) return "br";
  return named.includes("gzip") ? "gzip" : "identity";
}
