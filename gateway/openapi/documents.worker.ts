/** Makes the API documents and the documentation site in a thread of its own: they are a second of work. */
import { parentPort, workerData } from "node:worker_threads";
import { openApiDocument } from "./openapi.ts";
import { docsSite } from "./pages/site.ts";

export type MadeFile = { path: string; type: string; text: string };

const JSON_TYPE = "application/json; charset=utf-8";
const { baseUrl } = workerData as { baseUrl: string };

const made: MadeFile[] = [
  { path: "/api/openapi.json", type: JSON_TYPE, text: JSON.stringify(openApiDocument("partner", baseUrl)) },
  {
    path: "/api/openapi-dashboard.json",
    type: JSON_TYPE,
    text: JSON.stringify(openApiDocument("dashboard", baseUrl)),
  },
  ...[...docsSite(baseUrl)].map(([name, file]) => ({ path: name ? `/docs/${name}` : "/docs", ...file })),
];

parentPort?.postMessage(made);
