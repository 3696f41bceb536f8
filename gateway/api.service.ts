/** The gateway as a moleculer-web service: it listens, finds the route and has it served. */
import type { RequestListener, Server } from "node:http";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import type { ActionName } from "../shared/contract/actions.ts";
import { type Runtime, runtimeOf } from "../shared/moleculer/runtime.ts";
import { callerFor } from "../shared/moleculer/typed-actions.ts";
import { createGatekeeper, type Gatekeeper } from "./admit/authenticate.ts";
import { closeListener } from "./http/close-listener.ts";
import { type EdgeRequest, type EdgeResponse, newEdge } from "./http/edge-request.ts";
import { sendError } from "./http/errors.ts";
import { createHttpServer } from "./http/http-server.ts";
import { observeRequest } from "./http/observe-request.ts";
import { servicesFound } from "./http/readiness.ts";
import { absoluteTarget } from "./http/request-framing.rules.ts";
import { createRequestLog, type RequestLog } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { DOCUMENTED_ROUTES, inBraces, pathInDocument } from "./openapi/documented-routes.ts";
import { pages } from "./pages.ts";
import { routeProblems } from "./route-problems.ts";
import { ROUTES } from "./routes.ts";
import { createRouteServer, type Found, type ServeRoute } from "./serve-route.ts";

/** Longer than a call that the service makes itself, so that the service's own answer arrives first. */
const CALL_DEADLINE_FACTOR = 2;
/** Share of the stop deadline in which requests in flight may finish. */
const DRAIN_SHARE = 0.75;
/** One hanging service must not hold up requests to the others; the calls in flight bound their number. */
const UNBOUNDED = { bulkhead: { enabled: false }, circuitBreaker: { enabled: false } };

type Alias = { method: string; match(path: string): unknown } & (object | { serve: ServeRoute });
type GatewayService = {
  server: Server;
  httpHandler: RequestListener;
  aliases: Alias[];
  parseQueryString(request: EdgeRequest): { url: string; query: Found["query"] };
  resolveAlias(path: string, method?: string): { alias: Alias; params: Found["params"] } | false;
  errorHandler(request: EdgeRequest, response: EdgeResponse, error: unknown): void;
};

export default function apiService(broker: ServiceBroker): ServiceSchema<Record<string, unknown>> {
  const runtime = runtimeOf(broker);
  const problems = routeProblems(ROUTES);
  if (problems.length > 0) throw new Error(`The route table is wrong:\n  ${problems.join("\n  ")}`);
  const gatekeeper = createGatekeeper({
    ...runtime,
    call: <T>(action: ActionName, params: unknown, meta: object = {}) =>
      broker.call(action, params as object, { meta }) as Promise<T>,
  });
  const served = serveRoutes(broker, runtime, gatekeeper);
  const requestLog = createRequestLog({
    ...runtime,
    tell: (batch) => callerFor("gateway", broker)("auth-token.recordRequests", batch),
  });

  return {
    name: "api",
    mixins: [ApiGateway],
    settings: {
      port: runtime.config.port,
      ip: runtime.config.host,
      routes: [
        { ...restricted, path: "/", name: "api", aliases: aliasesOf(served) },
        { ...restricted, path: "/", name: "pages", aliases: pages(broker, runtime, gatekeeper) },
      ],
      // Settings are published to every node; none needs the table.
      $secureSettings: ["routes"],
      logRequest: null,
      logRequestParams: null,
      logResponse: null,
      logRouteRegistration: null,
      // moleculer-web would take and echo a caller's X-Request-ID unchecked.
      rootCallOptions: (options: { requestID?: unknown }, request: EdgeRequest) => {
        options.requestID = request.edge.requestId;
      },
      onError(this: GatewayService, request: EdgeRequest, response: EdgeResponse, error: unknown) {
        const methodsOf = (path: string) => [
          ...new Set(this.aliases.filter((alias) => alias.match(path)).map((alias) => alias.method)),
        ];
        sendError({ ...told(runtime), methodsOf }, request, response, error);
      },
    },
    actions: { rest: UNBOUNDED, listAliases: false, addRoute: false, removeRoute: false },
    methods: methods({ ...runtime, requestLog, pathOf }, served),
    async started() {
      const { server } = this as unknown as GatewayService;
      const { stopDeadlineMs } = runtime.config;
      runtime.lifecycle.onDrain("listener", () => closeListener(server, stopDeadlineMs * DRAIN_SHARE));
      runtime.health.require("services", servicesFound(broker));
      await gatekeeper.start();
      requestLog.start();
    },
    async stopped() {
      await runtime.lifecycle.drain();
      await requestLog.stop();
      await gatekeeper.stop();
    },
  };
}

/** What the one place that makes an answer of an error has to know. */
const told = ({ logger, config }: Runtime) => ({ logger, baseUrl: config.baseUrl });

const restricted = {
  mappingPolicy: "restrict",
  mergeParams: false,
  bodyParsers: false,
  etag: false,
  logging: false,
} as const;

/** Keyed by method and path, as the table has them. */
type Served = ReadonlyMap<string, ServeRoute>;

function serveRoutes(broker: ServiceBroker, runtime: Runtime, gatekeeper: Gatekeeper): Served {
  const callDeadlineMs = runtime.config.requestTimeoutMs * CALL_DEADLINE_FACTOR;
  const fail = (request: EdgeRequest, response: EdgeResponse, error: unknown) =>
    sendError({ ...told(runtime), methodsOf: () => [] }, request, response, error);
  const deps = { broker, gatekeeper, callDeadlineMs, fail };
  return new Map(
    DOCUMENTED_ROUTES.map(({ doc, ...row }) => {
      // A query parameter is known by its documentation, so the two cannot differ.
      const queryNames = new Set(Object.keys(doc.query ?? {}));
      return [`${row.method} ${row.path}`, createRouteServer(row, { ...deps, queryNames })];
    }),
  );
}

/** moleculer-web only matches the path; the route server calls the action. */
const aliasesOf = (served: Served) =>
  Object.fromEntries([...served].map(([address, serve]) => [address, { serve, handler: notServed }]));

const notServed = (_request: unknown, _response: unknown, next: (error: Error) => void) =>
  next(new Error("moleculer-web was asked to serve a route."));

const NOTHING_FOUND: Found = { params: {}, query: {} };

const PATHS = new Map(DOCUMENTED_ROUTES.map(({ path }) => [path, inBraces(pathInDocument(path))]));
const pathOf = (path: string): string => PATHS.get(path) ?? path;

function methods(runtime: Runtime & { requestLog: RequestLog; pathOf: typeof pathOf }, served: Served) {
  const isHttps = runtime.config.baseUrl.startsWith("https:");
  const headers = securityHeaders(isHttps);
  const withoutParameters = new Map([...served].filter(([address]) => !address.includes(":")));
  return {
    createServer(this: GatewayService) {
      this.server = createHttpServer(this.httpHandler, isHttps);
    },

    httpHandler(this: GatewayService, request: EdgeRequest, response: EdgeResponse) {
      takeAbsoluteTarget(request);
      request.edge = newEdge(request);
      observeRequest(runtime, request, response);
      for (const [name, value] of headers) response.setHeader(name, value);
      response.setHeader("Svc-Request-Id", request.edge.requestId);
      if (runtime.health.isDraining()) response.setHeader("Connection", "close");
      // moleculer-web would run the action that a preflight asks about; there is no CORS here, so 405.
      if (request.method === "OPTIONS") request.headers["access-control-request-method"] = "OPTIONS";
      if (request.method === "HEAD") request.method = "GET";
      const exact = withoutParameters.get(`${request.method} ${request.url}`);
      if (exact) return exact(request, response, NOTHING_FOUND);
      try {
        const { url, query } = this.parseQueryString(request);
        const found = this.resolveAlias(withoutLastSlash(url), request.method);
        if (found && "serve" in found.alias)
          found.alias.serve(request, response, { params: found.params, query });
        else ApiGateway.methods?.httpHandler?.call(this, request, response);
      } catch (error) {
        this.errorHandler(request, response, error);
      }
    },
  };
}

/** The target names the host, so a Host header counts for nothing. */
function takeAbsoluteTarget(request: EdgeRequest): void {
  if (request.url?.startsWith("/")) return;
  const target = absoluteTarget(request.url ?? "");
  if (!target) return;
  request.url = target.path;
  request.headers.host = target.host;
}

const withoutLastSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
