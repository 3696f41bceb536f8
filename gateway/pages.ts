/** What the gateway answers beside the API: the dashboard, health, the API document, storage's notices, withdrawn operations. */
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import { AppError } from "../shared/errors.ts";
import type { Runtime } from "../shared/moleculer/runtime.ts";
import type { Gatekeeper } from "./admit/authenticate.ts";
import { createDashboardPage } from "./http/dashboard-page.ts";
import { createDocumentsPage } from "./http/documents-page.ts";
import type { EdgeRequest, EdgeResponse } from "./http/edge-request.ts";
import { createNoticeDoor } from "./http/notice-door.ts";
import { createSystemReadiness } from "./http/readiness.ts";
import { sendJson, sendJsonText } from "./http/send-json.ts";
import { makeDocuments } from "./openapi/make-documents.ts";
import { WITHDRAWN_ROUTES } from "./withdrawn.ts";

type Page = (request: EdgeRequest, response: EdgeResponse, next: (error?: unknown) => void) => void;

const DASHBOARD_DIR = fileURLToPath(new URL("./dashboard/dist", import.meta.url));

const ALIVE = JSON.stringify({ status: "ok" });

export function pages(
  broker: ServiceBroker,
  { health, config }: Runtime,
  gatekeeper: Pick<Gatekeeper, "limitPage">,
): Record<string, Page> {
  const documentAt = createDocumentsPage(() => makeDocuments(config.baseUrl));
  const systemReadiness = createSystemReadiness(broker, health);
  const counted =
    (page: Page): Page =>
    (request, response, next) => {
      gatekeeper.limitPage(request, response).then(() => page(request, response, next), next);
    };
  const dashboard = counted(createDashboardPage(DASHBOARD_DIR, config.storageOrigin));
  const docs = counted(documentAt());
  return {
    "GET /": (_request, response) => void response.writeHead(302, { Location: "/dashboard" }).end(),
    "GET /dashboard": dashboard,
    "GET /dashboard/*path": dashboard,
    "GET /healthz": (_request, response) => sendJsonText(response, 200, ALIVE),
    "GET /readyz": (_request, response, next) => {
      systemReadiness().then((readiness) => sendJson(response, readiness.ready ? 200 : 503, readiness), next);
    },
    "GET /api/openapi.json": counted(documentAt("/api/openapi.json")),
    "GET /api/openapi-dashboard.json": counted(documentAt("/api/openapi-dashboard.json")),
    "GET /docs": docs,
    "GET /docs/:file": docs,
    "POST /storage/notices": createNoticeDoor(broker, config),
    ...withdrawnPages(),
  };
}

function withdrawnPages(): Record<string, Page> {
  const pageFor =
    (successor: string): Page =>
    (_request, _response, next) =>
      next(new AppError("Route.Withdrawn", `This operation was withdrawn. Use ${successor}.`));
  return Object.fromEntries(
    WITHDRAWN_ROUTES.flatMap(({ methods, path, successor }) =>
      methods.map((method) => [`${method} ${path}`, pageFor(successor)]),
    ),
  );
}
