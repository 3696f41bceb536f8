/** A request as the gateway serves it: with its ids, its row and its caller. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../shared/identity/caller.ts";
import { randomId } from "../../shared/ids.ts";
import { continueTrace } from "../../shared/telemetry/trace.ts";
import type { Row } from "../route.ts";

type Edge = {
  requestId: string;
  /** Made here, whatever the caller sent. */
  serverRequestId: string;
  traceparent: string;
  startedAt: number;
  /** Null until the address is matched. */
  row: Row | null;
  caller: Caller | null;
  /** Why it was refused, for the log: the code and the names of the fields at fault, never a value. */
  failure: { code: string; fields: readonly string[] } | null;
};

export type EdgeRequest = IncomingMessage & { edge: Edge };
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
