/** Logs, measures and traces each finished request. */
import type { Caller } from "../../shared/identity/caller.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { isTraceparent, traceIdOf } from "../../shared/telemetry/trace.ts";
import { spanTimes } from "../../shared/telemetry/tracer.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import type { RequestLog } from "./request-log.ts";

type Observers = Pick<Runtime, "logger" | "metrics" | "tracer"> & {
  requestLog: Pick<RequestLog, "note">;
  /** The path of a route in the API document. */
  pathOf(path: string): string;
};

export function observeRequest(
  { logger, metrics, tracer, requestLog, pathOf }: Observers,
  request: EdgeRequest,
  response: EdgeResponse,
): void {
  const method = request.method ?? "";
  response.once("close", () => {
    const { edge } = request;
    const endedAt = performance.now();
    const seconds = (endedAt - edge.startedAt) / 1_000;
    const route = edge.row?.path ?? "other";
    const status = String(response.statusCode);
    const labels = { method, route, status };
    metrics.observe("http_server_request_duration_seconds", seconds, labels, edge.traceparent);
    if (edge.row && edge.caller?.kind === "partner" && response.writableFinished) {
      const { row, requestId, failure } = edge;
      requestLog.note({
        partnerId: edge.caller.partnerId,
        method: row.method,
        route: pathOf(row.path),
        status: response.statusCode,
        code: failure?.code ?? null,
        fields: failure?.fields ?? [],
        requestId,
        durationMs: Math.round(seconds * 1_000),
      });
    }
    if (tracer.enabled) {
      const { traceparent: incoming } = request.headers;
      tracer.record({
        name: `${method} ${route}`,
        kind: "server",
        traceparent: edge.traceparent,
        parent: isTraceparent(incoming) ? incoming : null,
        ...spanTimes(edge.startedAt, endedAt),
        attributes: {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": response.statusCode,
          "pbo.request_id": edge.requestId,
        },
        ...(response.statusCode >= 500 ? { error: status } : {}),
      });
    }
    logger.info(
      {
        requestId: edge.requestId,
        ...(edge.serverRequestId === edge.requestId ? {} : { serverRequestId: edge.serverRequestId }),
        traceId: traceIdOf(edge.traceparent),
        method,
        route,
        status: response.statusCode,
        ms: Math.round(seconds * 1_000),
        ...callerFacts(edge.caller),
        ...edge.failure,
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      "request.finished",
    );
  });
}

function callerFacts(caller: Caller | null) {
  if (!caller) return {};
  const id = caller.kind === "partner" ? caller.clientId : caller.userId;
  return {
    caller: { kind: caller.kind, id },
    ...("partnerId" in caller ? { partnerId: caller.partnerId } : {}),
  };
}
