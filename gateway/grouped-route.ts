/** Serves a route whose requests are grouped, beside moleculer-web: the same steps in the same order. */
import type { CallMeta } from "../shared/caller.ts";
import { fromPlainError, type GroupedAnswer } from "../shared/grouped-call.ts";
import { orderedId } from "../shared/ids.ts";
import type { Gatekeeper } from "./authenticate.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { successBody } from "./envelope.ts";
import { createGroupedCall } from "./grouped-calls.ts";
import { MAX_JSON_BYTES, readBody } from "./read-body.ts";
import type { Route } from "./route.ts";

type Deps = {
  gatekeeper: Gatekeeper;
  send: Parameters<typeof createGroupedCall>[0];
  fail(request: EdgeRequest, response: EdgeResponse, error: unknown): void;
};

export type GroupedRoute = (request: EdgeRequest, response: EdgeResponse) => void;

export function createGroupedRoute(row: Route, { gatekeeper, send, fail }: Deps): GroupedRoute {
  const call = createGroupedCall(send);

  async function serve(request: EdgeRequest, response: EdgeResponse): Promise<void> {
    const { edge } = request;
    edge.row = row;
    edge.caller = await gatekeeper.authenticate(row, request);
    await gatekeeper.limit(row, edge.caller, request, response);
    const body = await readBody(row, request);
    const meta: CallMeta = {
      requestId: edge.requestId,
      callId: orderedId(Date.now()),
      traceparent: edge.traceparent,
      caller: edge.caller,
      clientAddress: gatekeeper.addressOf(request),
    };
    const headers = { ifMatch: null, hasAuthorization: request.headers.authorization !== undefined };
    const params = { params: {}, query: {}, body, headers };
    const answer = await call({ params, meta }, Number(request.headers["content-length"] ?? MAX_JSON_BYTES));
    if (answer.error) throw fromPlainError(answer.error);
    sendAnswer(response, answer, successBody(row.envelope, answer.body));
  }

  return (request, response) => {
    serve(request, response).catch((error: unknown) => fail(request, response, error));
  };
}

function sendAnswer(response: EdgeResponse, { status, headers }: GroupedAnswer, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
