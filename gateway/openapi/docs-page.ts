/** Serves the documentation site, compressed for who can read it. */
import { AppError } from "../../shared/errors.ts";
import { lazily } from "../../shared/lazily.ts";
import type { EdgeRequest, EdgeResponse } from "../http/edge-request.ts";
import { docsSite } from "./pages/site.ts";

/** The pages are read by the search; nothing comes from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const CACHED = "public, max-age=300";

type ServeDocs = (request: EdgeRequest, response: EdgeResponse, next: (error?: unknown) => void) => void;

export function createDocs(baseUrl: string): ServeDocs {
  const site = lazily(() => docsSite(baseUrl));
  return (request, response, next) => {
    const file = site().get(request.$params.params?.file ?? "");
    if (!file) return next(new AppError("Route.NotFound", "There is no such page."));
    const isCompressed = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const body = isCompressed ? file.compressed : file.plain;
    response.writeHead(200, {
      "Content-Type": file.type,
      "Content-Length": body.byteLength,
      "Content-Security-Policy": POLICY,
      "Cache-Control": CACHED,
      Vary: "Accept-Encoding",
      ...(isCompressed ? { "Content-Encoding": "gzip" } : {}),
    });
    response.end(body);
  };
}
