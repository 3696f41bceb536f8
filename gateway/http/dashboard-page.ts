/** The dashboard: its built files, read once and served from memory, each compressed once. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";

type Encoding = "br" | "gzip" | "identity";
type Asset = { type: string; cacheControl: string; as(encoding: Encoding): Promise<Buffer> };
type Built = { madeAt: number; page: Asset; files: ReadonlyMap<string, Asset> };
type Serve = (request: EdgeRequest, response: EdgeResponse, next: (error?: unknown) => void) => void;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";
/** The page and the script that starts the app have no hash in their names. */
const UNHASHED = new Set(["index.html", "boot.js"]);

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export function createDashboardPage(dir: string, storageOrigin: string): Serve {
  const policy = policyOf(storageOrigin);
  let built: Built | null = null;

  /** A new build is seen by the time of its page, so that npm run dev needs no restart. */
  const current = async (): Promise<Built> => {
    const { mtimeMs } = await stat(join(dir, "index.html")).catch(notBuilt);
    if (built?.madeAt !== mtimeMs) built = await readBuilt(dir, mtimeMs);
    return built;
  };

  const assetAt = async (path: string): Promise<Asset> => {
    const name = path.startsWith("assets/") ? path.slice("assets/".length) : null;
    if (name === null) return (await current()).page;
    const found = built?.files.get(name) ?? (await current()).files.get(name);
    if (!found) throw new AppError("Route.NotFound", "There is no such file of the dashboard.");
    return found;
  };

  return (request, response, next) => {
    const serve = async () => {
      const asset = await assetAt(request.$params.params?.path ?? "");
      const encoding = encodingFor(request.headers["accept-encoding"] ?? "");
      const bytes = await asset.as(encoding);
      response.setHeader("Content-Security-Policy", policy);
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cache-Control", asset.cacheControl);
      response.setHeader("Content-Type", asset.type);
      response.setHeader("Vary", "Accept-Encoding");
      if (encoding !== "identity") response.setHeader("Content-Encoding", encoding);
      response.setHeader("Content-Length", bytes.length);
      response.end(bytes);
    };
    serve().catch(next);
  };
}

const policyOf = (storageOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${storageOrigin}`.trim(),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

async function readBuilt(dir: string, madeAt: number): Promise<Built> {
  const names = await readdir(join(dir, "assets"));
  const files = await Promise.all(
    names.map(async (name) => [name, assetOf(name, await readFile(join(dir, "assets", name)))] as const),
  );
  const page = assetOf("index.html", await readFile(join(dir, "index.html")));
  return { madeAt, page, files: new Map(files) };
}

function assetOf(name: string, bytes: Buffer): Asset {
  const made = new Map<Encoding, Promise<Buffer>>([["identity", Promise.resolve(bytes)]]);
  return {
    type: TYPES[extname(name)] ?? "application/octet-stream",
    cacheControl: UNHASHED.has(name) ? ASK_AGAIN : FOR_EVER,
    as(encoding) {
      const known = made.get(encoding);
      if (known || encoding === "identity") return known ?? Promise.resolve(bytes);
      const compressed = compress[encoding](bytes);
      made.set(encoding, compressed);
      return compressed;
    },
  };
}

/** `;q=0` refuses; nobody sends other weights for these two. */
function encodingFor(accepted: string): Encoding {
  const named = accepted
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(";")[0]);
  if (named.includes("br")) return "br";
  return named.includes("gzip") ? "gzip" : "identity";
}

function notBuilt(cause: unknown): never {
  throw new AppError("Route.NotFound", "The dashboard is not built here: npm run build.", { cause });
}
