/** What the gateway answers beside the API: the dashboard, health, the API document, storage's notices, withdrawn operations. */
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import { AppError } from "../shared/errors.ts";
import { lazily } from "../shared/lazily.ts";
import type { Runtime } from "../shared/moleculer/runtime.ts";
import { createDashboardPage } from "./http/dashboard-page.ts";
import type { EdgeRequest, EdgeResponse } from "./http/edge-request.ts";
import { createNoticeDoor } from "./http/notice-door.ts";
import { createSystemReadiness } from "./http/readiness.ts";
import { sendJson, sendJsonText } from "./http/send-json.ts";
import { createDocs } from "./openapi/docs-page.ts";
import { openApiDocument } from "./openapi/openapi.ts";
import { WITHDRAWN_ROUTES } from "./withdrawn.ts";

type Page = (request: EdgeRequest, response: EdgeResponse, next: (error?: unknown) => void) => void;

const DASHBOARD_DIR = fileURLToPath(new URL("./dashboard/dist", import.meta.url));

export function pages(broker: ServiceBroker, { health, config }: Runtime): Record<string, Page> {
  // Made when they are first asked for: they were a tenth of the CPU that a start takes.
  const partnerDocument = lazily(() => JSON.stringify(openApiDocument("partner", config.baseUrl)));
  const dashboardDocument = lazily(() => JSON.stringify(openApiDocument("dashboard", config.baseUrl)));
  const serveDocs = createDocs(config.baseUrl);
  const systemReadiness = createSystemReadiness(broker, health);
  const dashboard = createDashboardPage(DASHBOARD_DIR, config.storageOrigin);
  return {
    "GET /": (_request, response) => void response.writeHead(302, { Location: "/dashboard" }).end(),
    "GET /dashboard": dashboard,
    "GET /dashboard/*path": dashboard,
    "GET /healthz": (_request, response) => sendJson(response, 200, { status: "ok" }),
    "GET /readyz": (_request, response, next) => {
      systemReadiness().then((readiness) => sendJson(response, readiness.ready ? 200 : 503, readiness), next);
    },
    "GET /api/openapi.json": (_request, response) => sendJsonText(response, 200, partnerDocument()),
    "GET /api/openapi-dashboard.json": (_request, response) =>
      sendJsonText(response, 200, dashboardDocument()),
    "GET /docs": serveDocs,
    "GET /docs/:file": serveDocs,
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
