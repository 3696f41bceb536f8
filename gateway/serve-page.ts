/** Serves the pages: the rows that the gateway answers itself. */
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import { AppError } from "../shared/errors.ts";
import type { Runtime } from "../shared/moleculer/runtime.ts";
import type { Gatekeeper } from "./admit/authenticate.ts";
import { createDashboardPage } from "./http/dashboard-page.ts";
import { createDocumentsPage } from "./http/documents-page.ts";
import { createNotificationReceiver } from "./http/notification-receiver.ts";
import { createSystemReadiness } from "./http/readiness.ts";
import { sendJson } from "./http/send-json.ts";
import { makeDocuments } from "./openapi/make-documents.ts";
import type { Page } from "./route.ts";
import type { Serve } from "./serve-route.ts";

type Deps = { broker: ServiceBroker; runtime: Runtime; gatekeeper: Pick<Gatekeeper, "limit"> };

const DASHBOARD_DIR = fileURLToPath(new URL("./dashboard/dist", import.meta.url));

export function createPageServer({ broker, runtime, gatekeeper }: Deps): (page: Page) => Serve {
  const { config, health } = runtime;
  const dashboard = createDashboardPage(DASHBOARD_DIR, config.storageOrigin);
  const documents = createDocumentsPage(() => makeDocuments(config.baseUrl));
  const systemReadiness = createSystemReadiness(broker, health);
  const receive = createNotificationReceiver(broker, config);

  const answers: Record<Page["page"], (page: Page) => Serve> = {
    start: () => async (_request, response) => void response.writeHead(302, { Location: "/dashboard" }).end(),
    dashboard:
      () =>
      (request, response, { params }) =>
        dashboard(request, response, params.file ?? ""),
    docs:
      () =>
      (request, response, { params }) =>
        documents(request, response, params.file ? `/docs/${params.file}` : "/docs"),
    document:
      ({ path }) =>
      (request, response) =>
        documents(request, response, path),
    alive: () => async (_request, response) => sendJson(response, 200, { status: "ok" }),
    ready: () => async (_request, response) => {
      const readiness = await systemReadiness();
      sendJson(response, readiness.ready ? 200 : 503, readiness);
    },
    notification: () => receive,
    withdrawn:
      ({ successor }) =>
      async () => {
        throw new AppError("Route.Withdrawn", `This operation was withdrawn. Use ${successor}.`);
      },
  };

  return (page) => {
    const answer = answers[page.page](page);
    return async (request, response, found) => {
      await gatekeeper.limit(page, null, request, response);
      await answer(request, response, found);
    };
  };
}
