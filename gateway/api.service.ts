/** The gateway as a moleculer-web service: authenticate, limit, read the body, call the action, shape the answer. */
import type { RequestListener, Server } from "node:http";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import type { ActionName } from "../shared/actions.ts";
import type { CallMeta } from "../shared/caller.ts";
import { AppError } from "../shared/errors.ts";
import type { GroupedAnswer, GroupedRequest } from "../shared/grouped-call.ts";
import { orderedId } from "../shared/ids.ts";
import { type Runtime, runtimeOf } from "../shared/runtime.ts";
import { createGatekeeper, type Gatekeeper } from "./authenticate.ts";
import { closeListener } from "./close-listener.ts";
import { type EdgeRequest, type EdgeResponse, newEdge } from "./edge-request.ts";
import { successBody } from "./envelope.ts";
import { sendError } from "./errors.ts";
import { createGroupedRoute, type GroupedRoute } from "./grouped-route.ts";
import { createHttpServer } from "./http-server.ts";
import { observeRequest } from "./observe-request.ts";
import { pages } from "./pages.ts";
import { readBody } from "./read-body.ts";
import type { Route } from "./route.ts";
import { ROUTES, routeProblems } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";

/** Longer than a call that the service makes itself, so that the service's own answer arrives first. */
const CALL_DEADLINE_FACTOR = 2;
/** Where the contract has a code for a service that is away, it promises that answer within 3 s. */
const SHORT_CALL_DEADLINE_MS = 2_500;
/** Part of the time for a stop that requests in hand may take. */
const DRAIN_SHARE = 0.75;
/** A process that hangs must not hold the requests to others; their number is bounded by the calls under way. */
const UNBOUNDED = { bulkhead: { enabled: false }, circuitBreaker: { enabled: false } };

type GatewayService = {
  server: Server;
  httpHandler: RequestListener;
  aliases: { method: string; match(path: string): unknown }[];
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
  const callDeadlineMs = runtime.config.requestTimeoutMs * CALL_DEADLINE_FACTOR;
  const grouped = groupedRoutes(broker, runtime, gatekeeper, callDeadlineMs);

  return {
    name: "api",
    mixins: [ApiGateway],
    settings: {
      port: runtime.config.port,
      ip: runtime.config.host,
      routes: [
        ...apiRoutes(callDeadlineMs),
        { ...restricted, path: "/", name: "pages", aliases: pages(broker, runtime) },
        { ...restricted, path: "/", name: "grouped", aliases: Object.fromEntries(grouped) },
      ],
      // Settings are told to every node; nobody needs the whole table.
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
        sendError({ logger: runtime.logger, methodsOf }, request, response, error);
      },
    },
    actions: { rest: UNBOUNDED, listAliases: false, addRoute: false, removeRoute: false },
    methods: methods(runtime, gatekeeper, grouped),
    async started() {
      const { server } = this as unknown as GatewayService;
      const { stopDeadlineMs } = runtime.config;
      runtime.lifecycle.onDrain("listener", () => closeListener(server, stopDeadlineMs * DRAIN_SHARE));
      await gatekeeper.start();
    },
    async stopped() {
      await runtime.lifecycle.drain();
      await gatekeeper.stop();
    },
  };
}

const restricted = {
  mappingPolicy: "restrict",
  mergeParams: false,
  bodyParsers: false,
  etag: false,
  logging: false,
} as const;

function apiRoutes(callDeadlineMs: number): Record<string, unknown>[] {
  const isUrgent = (row: Route) => row.unavailableCode !== undefined;
  return [
    apiRoute(
      "api",
      ROUTES.filter((row) => !row.grouped && !isUrgent(row)),
      callDeadlineMs,
    ),
    apiRoute("urgent", ROUTES.filter(isUrgent), Math.min(callDeadlineMs, SHORT_CALL_DEADLINE_MS)),
  ];
}

function apiRoute(name: string, rows: readonly Route[], timeout: number): Record<string, unknown> {
  return {
    ...restricted,
    path: "/",
    name,
    authentication: "admit",
    authorization: "prepare",
    callOptions: { timeout },
    aliases: Object.fromEntries(rows.map((row) => [`${row.method} ${row.path}`, aliasOf(row)])),
    onAfterCall: (_ctx: Context, _route: unknown, request: EdgeRequest, _response: unknown, value: unknown) =>
      successBody(request.edge.row?.envelope ?? "partner", value),
  };
}

const aliasOf = (row: Route) => (row.built ? { action: row.action, row } : { handler: notBuilt(row), row });

const notBuilt = (row: Route) => (_request: unknown, _response: unknown, next: (error: Error) => void) =>
  next(new AppError("Route.NotBuilt", `${row.method} ${row.path} is not available yet.`));

/** By method and exact address; other spellings of an address come in by moleculer-web. */
function groupedRoutes(broker: ServiceBroker, runtime: Runtime, gatekeeper: Gatekeeper, timeout: number) {
  const fail = (request: EdgeRequest, response: EdgeResponse, error: unknown) =>
    sendError({ logger: runtime.logger, methodsOf: () => [] }, request, response, error);
  return new Map<string, GroupedRoute>(
    ROUTES.filter((row) => row.grouped).map((row) => {
      const send = (requests: GroupedRequest[]) =>
        broker.call(row.action, { requests }, { timeout }) as Promise<{ answers: GroupedAnswer[] }>;
      return [`${row.method} ${row.path}`, createGroupedRoute(row, { gatekeeper, send, fail })];
    }),
  );
}

function methods(runtime: Runtime, gatekeeper: Gatekeeper, grouped: ReadonlyMap<string, GroupedRoute>) {
  const isHttps = runtime.config.baseUrl.startsWith("https:");
  const headers = securityHeaders(isHttps);
  return {
    createServer(this: GatewayService) {
      this.server = createHttpServer(this.httpHandler, isHttps);
    },

    httpHandler(this: GatewayService, request: EdgeRequest, response: EdgeResponse) {
      request.edge = newEdge(request);
      observeRequest(runtime, request, response);
      for (const [name, value] of headers) response.setHeader(name, value);
      response.setHeader("Svc-Request-Id", request.edge.requestId);
      if (runtime.health.isDraining()) response.setHeader("Connection", "close");
      // moleculer-web would run the action that a preflight asks about; there is no CORS here, so 405.
      if (request.method === "OPTIONS") request.headers["access-control-request-method"] = "OPTIONS";
      if (request.method === "HEAD") request.method = "GET";
      const direct = grouped.get(`${request.method} ${request.url}`);
      if (direct) return direct(request, response);
      return ApiGateway.methods?.httpHandler?.call(this, request, response);
    },

    /** moleculer-web's authentication step. */
    async admit(ctx: Context<unknown, CallMeta>, _route: unknown, request: EdgeRequest) {
      const row = request.$alias?.row;
      if (!row) throw new AppError("Service.Error", "Something went wrong on our side.");
      const { edge } = request;
      edge.row = row;
      edge.caller = await gatekeeper.authenticate(row, request);
      ctx.meta.requestId = edge.requestId;
      ctx.meta.callId = orderedId(runtime.clock.now());
      ctx.meta.traceparent = edge.traceparent;
      ctx.meta.caller = edge.caller;
      ctx.meta.clientAddress = gatekeeper.addressOf(request);
      return null;
    },

    /** moleculer-web's authorization step: the last one before the action. */
    async prepare(_ctx: Context, _route: unknown, request: EdgeRequest, response: EdgeResponse) {
      const { row, caller } = request.edge;
      if (!row) throw new AppError("Service.Error", "Something went wrong on our side.");
      await gatekeeper.limit(row, caller, request, response);
      request.$params.body = await readBody(row, request);
      request.$params.headers = {
        ifMatch: request.headers["if-match"] ?? null,
        hasAuthorization: request.headers.authorization !== undefined,
      };
    },
  };
}
