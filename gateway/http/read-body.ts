/** Reads a request body; called once the caller is admitted, so that only admitted bytes are parsed. */
import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "../../shared/contract/error-codes.ts";
import { AppError } from "../../shared/errors.ts";
import type { Route } from "../route.ts";
import { JsonFault, readJson } from "./read-json.rules.ts";

export const MAX_JSON_BYTES = 1_048_576;
export const MAX_FORM_BYTES = 16_384;
export const MAX_JSON_DEPTH = 20;

const MEDIA_TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;

/** The parsed JSON, the raw form text, or undefined when there is no body. */
export async function readBody(
  route: Pick<Route, "body" | "malformedCode">,
  request: IncomingMessage,
): Promise<unknown> {
  if (route.body === "none" || !hasBody(request)) return undefined;
  const limit = route.body === "json" ? MAX_JSON_BYTES : MAX_FORM_BYTES;
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  checkMediaType(route.body, request);
  const bytes = await collect(request, limit);
  if (bytes.length === 0) return undefined;
  const text = decodeUtf8(bytes, route.malformedCode);
  return route.body === "form" ? text : parseJson(text, route.malformedCode);
}

const hasBody = (request: IncomingMessage): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;

function checkMediaType(kind: "json" | "form", request: IncomingMessage): void {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith("charset="));
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (type.trim() !== MEDIA_TYPES[kind] || (charset && !/^charset="?utf-8"?$/.test(charset)))
    throw new AppError("Request.MediaTypeUnsupported", `Send the body as ${MEDIA_TYPES[kind]} in UTF-8.`);
  if (encoding !== "identity")
    throw new AppError("Request.MediaTypeUnsupported", "Send the body without a Content-Encoding.");
}

/** By events: an async iterator over the request costs more than the rest of reading it. */
const collect = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(tooLarge(limit));
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => {
      // The error is made only where it is needed: its stack costs as much as all the reading.
      if (!request.readableEnded) reject(new Error("the body is incomplete"));
    });
  });

const tooLarge = (limit: number): AppError =>
  new AppError("Request.TooLarge", `The body is too large. It can have at most ${limit} bytes.`);

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Buffer, code: ErrorCode = "ValidationControl.Error"): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError(code, "The body is not valid UTF-8.");
  }
}

function parseJson(text: string, code: ErrorCode = "ValidationControl.Error"): unknown {
  try {
    return readJson(text, MAX_JSON_DEPTH);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { message, field } = error;
    if (!field) throw new AppError(code, message);
    throw new AppError(code, `${field}: ${message}`, { details: [{ field, code, message }] });
  }
}
