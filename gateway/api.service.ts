/** The gateway's Moleculer service: it listens, finds the row of a request and has it served. */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ActionName } from "../shared/contract/actions.ts";
import { type Runtime, runtimeOf } from "../shared/moleculer/runtime.ts";
import { callerFor } from "../shared/moleculer/typed-actions.ts";
import { createGatekeeper, type Gatekeeper } from "./admit/authenticate.ts";
import { closeListener } from "./http/connections.ts";
import { type EdgeRequest, type EdgeResponse, newEdge } from "./http/edge-request.ts";
import { sendError } from "./http/errors.ts";
import { createHttpServer } from "./http/http-server.ts";
import { observeRequest } from "./http/observe-request.ts";
import { servicesFound } from "./http/readiness.ts";
import { absoluteTarget } from "./http/request-framing.rules.ts";
import { createRequestLog, type RequestLog } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { DOCUMENTED_ROUTES, inBraces, pathInDocument } from "./openapi/documented-routes.ts";
import type { Row } from "./route.ts";
import { createRouter, type Router } from "./router.ts";
import { PAGES } from "./routes.ts";
import { createPageServer } from "./serve-page.ts";
import { createRouteServer, type Serve } from "./serve-route.ts";

/** Longer than a call that the service makes itself, so that the service's own answer arrives first. */
const CALL_DEADLINE_FACTOR = 2;
/** Share of the stop deadline in which requests in flight may finish. */
const DRAIN_SHARE = 0.75;

type ServedRow = Row & { serve: Serve };

export default function apiService(broker: ServiceBroker): ServiceSchema {
  const runtime = runtimeOf(broker);
  const { config, lifecycle, health } = runtime;
  const gatekeeper = createGatekeeper({
    ...runtime,
    call: <T>(action: ActionName, params: unknown, meta: object = {}) =>
      broker.call(action, params as object, { meta }) as Promise<T>,
  });
  const requestLog = createRequestLog({
    ...runtime,
    report: (batch) => callerFor("gateway", broker)("auth-token.recordRequests", batch),
  });
  const router = createRouter(servedRows(broker, runtime, gatekeeper));
  const isHttps = config.baseUrl.startsWith("https:");
  const server = createHttpServer(createListener(runtime, router, requestLog, isHttps), isHttps);

  return {
    name: "api",
    created() {
      this.server = server;
    },
    async started() {
      server.listen(config.port, config.host);
      await once(server, "listening");
      lifecycle.onDrain("listener", () => closeListener(server, config.stopDeadlineMs * DRAIN_SHARE));
      health.require("services", servicesFound(broker));
      await gatekeeper.start();
      requestLog.start();
    },
    async stopped() {
      await lifecycle.drain();
      await requestLog.stop();
      await gatekeeper.stop();
    },
  };
}

function servedRows(broker: ServiceBroker, runtime: Runtime, gatekeeper: Gatekeeper): ServedRow[] {
  const callDeadlineMs = runtime.config.requestTimeoutMs * CALL_DEADLINE_FACTOR;
  const servePage = createPageServer({ broker, runtime, gatekeeper });
  const routes = DOCUMENTED_ROUTES.map(({ doc, ...row }) => {
    // The documentation of a route is the list of its query parameters, so the two cannot differ.
    const queryNames = new Set(Object.keys(doc.query ?? {}));
    return { ...row, serve: createRouteServer(row, { broker, gatekeeper, callDeadlineMs, queryNames }) };
  });
  return [...routes, ...PAGES.map((page) => ({ ...page, serve: servePage(page) }))];
}

const PATHS = new Map(DOCUMENTED_ROUTES.map(({ path }) => [path, inBraces(pathInDocument(path))]));
const pathOf = (path: string): string => PATHS.get(path) ?? path;

function createListener(
  runtime: Runtime,
  router: Router<ServedRow>,
  requestLog: RequestLog,
  isHttps: boolean,
): RequestListener {
  const headers = securityHeaders(isHttps);
  const observers = { ...runtime, requestLog, pathOf };
  const errorDeps = {
    logger: runtime.logger,
    baseUrl: runtime.config.baseUrl,
    envelopeNear: router.envelopeNear,
  };

  async function serve(request: EdgeRequest, response: EdgeResponse): Promise<void> {
    // Node sends the answer to HEAD without its body.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const { row, found } = router.find(method ?? "", request.url ?? "/");
    request.edge.row = row;
    await row.serve(request, response, found);
  }

  return (incoming, response) => {
    takeAbsoluteTarget(incoming);
    const request = Object.assign(incoming, { edge: newEdge(incoming) });
    observeRequest(observers, request, response);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader("Svc-Request-Id", request.edge.requestId);
    if (runtime.health.isDraining()) response.setHeader("Connection", "close");
    serve(request, response).catch((error: unknown) => sendError(errorDeps, request, response, error));
  };
}

/** The target names the host, so a Host header counts for nothing. */
function takeAbsoluteTarget(request: Parameters<RequestListener>[0]): void {
  if (request.url?.startsWith("/")) return;
  const target = absoluteTarget(request.url ?? "");
  if (!target) return;
  request.url = target.path;
  request.headers.host = target.host;
}
