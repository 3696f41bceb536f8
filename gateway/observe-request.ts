/** One log line and one measurement per finished request. */
import type { Runtime } from "../shared/runtime.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";

export function observeRequest(
  { logger, metrics }: Pick<Runtime, "logger" | "metrics">,
  request: EdgeRequest,
  response: EdgeResponse,
): void {
  const method = request.method ?? "";
  response.once("close", () => {
    const { edge } = request;
    const seconds = (performance.now() - edge.startedAt) / 1_000;
    const route = edge.row?.path ?? "other";
    const status = String(response.statusCode);
    metrics.observe("http_server_request_duration_seconds", seconds, { method, route, status });
    logger.info(
      {
        requestId: edge.requestId,
        traceId: edge.traceparent.slice(3, 35),
        method,
        route,
        status: response.statusCode,
        ms: Math.round(seconds * 1_000),
        ...(edge.caller && "partnerId" in edge.caller ? { partnerId: edge.caller.partnerId } : {}),
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      "request.finished",
    );
  });
}
