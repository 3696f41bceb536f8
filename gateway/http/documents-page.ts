/** Serves the API documents and the documentation site, which are made when they are first asked for. */
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { fileOf, type SentFile, sendFile } from "./send-file.ts";

/** The pages are read by the search; nothing comes from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = { "Cache-Control": "public, max-age=300" };
const PAGE_HEADERS = { ...HEADERS, "Content-Security-Policy": POLICY };

type Serve = (request: EdgeRequest, response: EdgeResponse, path: string) => Promise<void>;
type Make = () => Promise<readonly { path: string; type: string; text: string }[]>;

export function createDocumentsPage(make: Make): Serve {
  const documents = madeOnce(make);
  return async (request, response, path) => {
    const file = (await documents()).get(path);
    if (!file) throw new AppError("Route.NotFound", "There is no such page.");
    await sendFile(request, response, file, path.startsWith("/docs") ? PAGE_HEADERS : HEADERS);
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
