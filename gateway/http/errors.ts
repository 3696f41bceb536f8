/** Turns an error into an HTTP answer, here and nowhere else; unknown errors are never shown. */
import { AppError, isAppError, unavailable } from "../../shared/errors.ts";
import { publicError } from "../../shared/moleculer/action-edge.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import { isChange, type Route, type Row } from "../route.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { errorBody } from "./envelope.ts";
import { sendJson } from "./send-json.ts";

type Deps = {
  logger: Logger;
  /** Base address of the documentation. */
  baseUrl: string;
  /** The envelope for an address without a row. */
  envelopeNear(target: string): Row["envelope"];
};

export function sendError(deps: Deps, request: EdgeRequest, response: EdgeResponse, failure: unknown): void {
  const { edge } = request;
  const { row } = edge;
  const known = publicError(failure);
  const error = row && "action" in row ? forRoute(row, known) : known;
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
  const envelope = row?.envelope ?? deps.envelopeNear(request.url ?? "/");
  sendJson(
    response,
    error.code,
    errorBody(envelope, error, { requestId: edge.requestId, baseUrl: deps.baseUrl }),
  );
}

/** The rest of a small refused body is read: that is cheaper than a new connection. */
const READ_ON_BYTES = 16_384;

const isSendingMuch = ({ complete, headers }: EdgeRequest): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > READ_ON_BYTES);

/** Callers can invent names, so few and short ones are logged. */
const MAX_FIELDS = 20;
const MAX_NAME = 100;

const fieldsOf = ({ data }: AppError): string[] =>
  (data.details ?? []).slice(0, MAX_FIELDS).map(({ field }) => field.slice(0, MAX_NAME));

/** A route may have its own code for a service that cannot be reached, and its own advice on an unknown outcome. */
function forRoute(row: Route, failure: AppError): AppError {
  const error = withOutcome(row, failure);
  if (!row.unavailableCode || error.type !== "Service.Unavailable") return error;
  const [service] = row.action.split(".");
  const change = row.method === "GET" ? "" : " Nothing was changed.";
  return new AppError(
    row.unavailableCode,
    `The ${service} service cannot be reached.${change} Try again shortly.`,
    {
      retryAfterSeconds: error.data.retryAfterSeconds ?? 1,
      cause: error,
    },
  );
}

function withOutcome(row: Route, error: AppError): AppError {
  if (error.type !== "Service.OutcomeUnknown") return error;
  if (!isChange(row)) return unavailable("A part of the service", error);
  return new AppError(error.type, `${error.message} ${row.findOut ?? FIND_OUT}`, { cause: error });
}

const FIND_OUT = "Read the object before you repeat the request.";
