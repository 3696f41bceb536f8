/** Builds both API documents and the documentation site. */
import { BASE_URL_MARK } from "../../gateway/http/built-files.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { docsSite } from "../../gateway/openapi/pages/site.ts";
import { writeFolder } from "./write-folder.ts";

export async function buildDocuments(): Promise<void> {
  const documents = {
    partner: openApiDocument("partner", BASE_URL_MARK),
    dashboard: openApiDocument("dashboard", BASE_URL_MARK),
  };
  await writeFolder("docs", docsSite(BASE_URL_MARK, documents));
  await writeFolder(
    "api",
    new Map([
      ["openapi.json", JSON.stringify(documents.partner)],
      ["openapi-dashboard.json", JSON.stringify(documents.dashboard)],
    ]),
  );
}
