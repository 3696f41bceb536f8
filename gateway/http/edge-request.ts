/** What the gateway knows about a request beyond its bytes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../shared/identity/caller.ts";
import { randomId } from "../../shared/ids.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { continueTrace } from "../../shared/telemetry/trace.ts";
import type { Route } from "../route.ts";

type Edge = {
  requestId: string;
  /** Ours, whatever the caller sent. */
  serverRequestId: string;
  traceparent: string;
  startedAt: number;
  /** Known once the path is matched. */
  row: Route | null;
  caller: Caller | null;
  /** Why it was refused, for the log: the code and the names of the fields at fault, never a value. */
  failure: { code: string; fields: readonly string[] } | null;
};

/** moleculer-web's request, with the fields that the gateway uses. */
export type EdgeRequest = IncomingMessage & {
  edge: Edge;
  originalUrl?: string;
  parsedUrl?: string;
  $params: HttpParams;
};
export type EdgeResponse = ServerResponse;

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;

export function newEdge(request: IncomingMessage): Edge {
  const given = request.headers["svc-request-id"];
  const own = randomId();
  return {
    requestId: typeof given === "string" && SAFE_REQUEST_ID.test(given) ? given : own,
    serverRequestId: own,
    traceparent: continueTrace(request.headers.traceparent, own),
    startedAt: performance.now(),
    row: null,
    caller: null,
    failure: null,
  };
}
