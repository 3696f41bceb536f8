/** Sends a file whose bytes are made once: compressed for who reads that, and not sent again to who has it. */
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { etagOf, isNamed } from "./etag.ts";

type Encoding = "br" | "gzip" | "identity";
export type SentFile = { type: string; etag: string; as(encoding: Encoding): Promise<Uint8Array> };

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Compressed by the thread pool, when the first caller asks for it. */
export function fileOf(type: string, bytes: Uint8Array): SentFile {
  const made = new Map<Encoding, Promise<Uint8Array>>([["identity", Promise.resolve(bytes)]]);
  return {
    type,
    etag: etagOf(bytes),
    as(encoding) {
      const known = made.get(encoding);
      if (known || encoding === "identity") return known ?? Promise.resolve(bytes);
      const compressed = compress[encoding](bytes);
      made.set(encoding, compressed);
      return compressed;
    },
  };
}

export async function sendFile(
  request: EdgeRequest,
  response: EdgeResponse,
  file: SentFile,
  headers: Readonly<Record<string, string>>,
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

/** A large file keeps the process busy for up to a ms, so other requests come between two of them. */
const waiting: (() => void)[] = [];

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(sendNext);
  });

function sendNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(sendNext);
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
