/** Serves the built files of the dashboard from memory. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { fileOf, type SentFile, sendFile } from "./send-file.ts";

type Asset = { file: SentFile; cacheControl: string };
type Built = { madeAt: number; page: Asset; files: ReadonlyMap<string, Asset> };
type Serve = (request: EdgeRequest, response: EdgeResponse, path: string) => Promise<void>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";
/** The page and the script that starts the app have no hash in their names. */
const UNHASHED = new Set(["index.html", "boot.js"]);

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

  return async (request, response, path) => {
    const { file, cacheControl } = await assetAt(path);
    await sendFile(request, response, file, {
      "Content-Security-Policy": policy,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cache-Control": cacheControl,
    });
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

const assetOf = (name: string, bytes: Buffer): Asset => ({
  file: fileOf(TYPES[extname(name)] ?? "application/octet-stream", bytes),
  cacheControl: UNHASHED.has(name) ? ASK_AGAIN : FOR_EVER,
});

function notBuilt(cause: unknown): never {
  throw new AppError("Route.NotFound", "The dashboard is not built here: npm run build.", { cause });
}
