/** Serves the API documents and the documentation site, which are made when they are first asked for. */
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { fileOf, type SentFile, sendFile } from "./send-file.ts";

/** The pages are read by the search; nothing comes from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = { "Cache-Control": "public, max-age=300" };
const PAGE_HEADERS = { ...HEADERS, "Content-Security-Policy": POLICY };

type Serve = (request: EdgeRequest, response: EdgeResponse, next: (error?: unknown) => void) => void;
type Make = () => Promise<readonly { path: string; type: string; text: string }[]>;

/** A server for the document at a path; without one, for the page of the site that the address names. */
export function createDocumentsPage(make: Make): (path?: string) => Serve {
  const documents = madeOnce(make);
  return (path) => (request, response, next) => {
    const { file: name } = request.$params.params ?? {};
    const serve = async () => {
      const file = (await documents()).get(path ?? (name ? `/docs/${name}` : "/docs"));
      if (!file) throw new AppError("Route.NotFound", "There is no such page.");
      await sendFile(request, response, file, path === undefined ? PAGE_HEADERS : HEADERS);
    };
    serve().catch(next);
  };
}

/** After a failure the next caller has them made again. */
function madeOnce(make: Make): () => Promise<ReadonlyMap<string, SentFile>> {
  const files = async () =>
    new Map((await make()).map(({ path, type, text }) => [path, fileOf(type, Buffer.from(text))]));
  let made: ReturnType<typeof files> | null = null;
  return () => {
    made ??= files().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
