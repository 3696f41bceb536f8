/** Turns an error into an HTTP answer, here and nowhere else; unknown errors are never shown. */
import { AppError, isAppError, unavailable } from "../../shared/errors.ts";
import { publicError } from "../../shared/moleculer/action-edge.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import { isChange, type Route } from "../route.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { envelopeOfPath, errorBody } from "./envelope.ts";
import { sendJson } from "./send-json.ts";

type Deps = {
  logger: Logger;
  /** Where the documentation is. */
  baseUrl: string;
  /** Methods that some route has for this path. */
  methodsOf(path: string): string[];
};

export function sendError(deps: Deps, request: EdgeRequest, response: EdgeResponse, failure: unknown): void {
  const { edge } = request;
  const path = pathOf(request);
  const error = forRoute(
    request,
    toAppError(failure, () => deps.methodsOf(path)),
  );
  edge.failure = { code: error.type, fields: fieldsOf(error) };
  if (error.code >= 500 && !isAppError(failure))
    deps.logger.error({ err: failure, requestId: edge.requestId }, "request.failed");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(error.data.headers ?? {})) response.setHeader(name, value);
  if (error.data.retryAfterSeconds) response.setHeader("Retry-After", String(error.data.retryAfterSeconds));
  if (isSendingMuch(request)) response.setHeader("Connection", "close");
  const envelope = edge.row?.envelope ?? envelopeOfPath(path);
  sendJson(
    response,
    error.code,
    errorBody(envelope, error, { requestId: edge.requestId, baseUrl: deps.baseUrl }),
  );
}

/** What a refused caller may still send; the rest of a small body is cheaper to read than a new connection to make. */
const READ_ON_BYTES = 16_384;

const isSendingMuch = ({ complete, headers }: EdgeRequest): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > READ_ON_BYTES);

/** A caller can make up names, so few and short ones are kept. */
const MAX_FIELDS = 20;
const MAX_NAME = 100;

const fieldsOf = ({ data }: AppError): string[] =>
  (data.details ?? []).slice(0, MAX_FIELDS).map(({ field }) => field.slice(0, MAX_NAME));

const pathOf = (request: EdgeRequest): string =>
  request.parsedUrl ?? (request.originalUrl ?? request.url ?? "/").split("?")[0] ?? "/";

function toAppError(failure: unknown, otherMethods: () => string[]): AppError {
  if (isAppError(failure)) return failure;
  if (!(failure instanceof Error) || !("code" in failure)) return publicError(failure);
  if (failure.name === "NotFoundError" && failure.code === 404) return notFound(otherMethods());
  if ("type" in failure && failure.type === "UNABLE_DECODE_PARAM")
    return new AppError("Route.NotFound", "The address holds a malformed escape.");
  return publicError(failure);
}

function notFound(methods: string[]): AppError {
  if (methods.length === 0)
    return new AppError("Route.NotFound", "There is nothing at this address. See /docs for the API.");
  const allow = (methods.includes("GET") ? [...methods, "HEAD"] : methods).join(", ");
  return new AppError("Request.MethodNotAllowed", `This address takes ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** A route may have its own code for a service that cannot be reached, and its own way to find out what became of a change. */
function forRoute(request: EdgeRequest, failure: AppError): AppError {
  const { row } = request.edge;
  const error = row ? withOutcome(row, failure) : failure;
  const code = row?.unavailableCode;
  if (!code || error.type !== "Service.Unavailable") return error;
  const change = row.method === "GET" ? "" : "; nothing was changed";
  return new AppError(code, `The delivery service cannot be reached${change}. Retry shortly.`, {
    retryAfterSeconds: error.data.retryAfterSeconds ?? 1,
    cause: error,
  });
}

function withOutcome(row: Route, error: AppError): AppError {
  if (error.type !== "Service.OutcomeUnknown") return error;
  if (!isChange(row)) return unavailable("A part of the service", error);
  return new AppError(error.type, `${error.message} ${row.findOut ?? FIND_OUT}`, { cause: error });
}

const FIND_OUT = "Read it again before you repeat the request.";
