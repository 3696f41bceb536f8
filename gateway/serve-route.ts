/** Serves one route: admits the caller, counts, reads the body, calls the action, shapes the answer. */
import type { ServiceBroker } from "moleculer";
import { REPEATABLE_ACTIONS } from "../shared/contract/actions.ts";
import { errorCode, outcomeUnknown } from "../shared/errors.ts";
import type { CallMeta } from "../shared/identity/caller.ts";
import { orderedId } from "../shared/ids.ts";
import { isRecord } from "../shared/is-record.ts";
import { callGroup } from "../shared/moleculer/group-outcome.ts";
import { fromPlainError, type GroupedAnswer, toPlainError } from "../shared/moleculer/grouped-call.ts";
import type { AnswerMeta } from "../shared/moleculer/typed-actions.ts";
import type { Gatekeeper } from "./admit/authenticate.ts";
import type { EdgeRequest, EdgeResponse } from "./http/edge-request.ts";
import { successBody } from "./http/envelope.ts";
import { createGroupedCall, type GroupedCall } from "./http/grouped-calls.ts";
import { refuseUnknownNames } from "./http/query-names.rules.ts";
import { MAX_JSON_BYTES, readBody } from "./http/read-body.ts";
import { readHeaders } from "./http/request-headers.ts";
import { sendCached, sendJson } from "./http/send-json.ts";
import { shareAnswers } from "./http/share-answers.ts";
import type { Route } from "./route.ts";
import type { Found } from "./router.ts";

export type Serve = (request: EdgeRequest, response: EdgeResponse, found: Found) => Promise<void>;

type Deps = {
  broker: ServiceBroker;
  /** Names of the route's query parameters. */
  queryNames: ReadonlySet<string>;
  gatekeeper: Gatekeeper;
  callDeadlineMs: number;
};

/** The contract promises a code of its own for an unreachable service within 3 s. */
const SHORT_CALL_DEADLINE_MS = 2_500;
/** Services time out slightly earlier, so the caller gets their error instead of a generic timeout. */
const ANSWER_MARGIN_MS = 300;

export function createRouteServer(
  row: Route,
  { broker, gatekeeper, queryNames, callDeadlineMs }: Deps,
): Serve {
  const isMadeOnce = row.method !== "GET" && REPEATABLE_ACTIONS.has(row.action);
  const isUrgent = row.unavailableCode !== undefined;
  const isUrgentChange = isUrgent && row.method !== "GET";
  const timeout = isUrgent ? Math.min(callDeadlineMs, SHORT_CALL_DEADLINE_MS) : callDeadlineMs;
  const own = row.grouped ? groupedCall(broker, row, timeout) : singleCall(broker, row, timeout);
  const call = row.sameForAll ? shareAnswers(own) : own;

  return async (request, response, found) => {
    const { edge } = request;
    // An open route counts the address before any work, reading a session included.
    if (row.auth === "none") await gatekeeper.limit(row, null, request, response);
    edge.caller = await gatekeeper.authenticate(row, request);
    if (row.auth !== "none") await gatekeeper.limit(row, edge.caller, request, response);
    const body = await readBody(row, request);
    // RFC 6749 has parameters that are not recognised be ignored.
    if (row.envelope !== "plain") refuseUnknownNames(found.query, queryNames);
    const headers = readHeaders(row, request);
    const meta: CallMeta = {
      requestId: edge.requestId,
      traceparent: edge.traceparent,
      caller: edge.caller,
      clientAddress: gatekeeper.addressOf(request),
    };
    if (edge.serverRequestId !== edge.requestId) meta.serverRequestId = edge.serverRequestId;
    if (isMadeOnce) meta.callId = orderedId(Date.now());
    if (isUrgentChange) meta.endsAt = performance.now() + timeout - ANSWER_MARGIN_MS;
    const bytes = Number(request.headers["content-length"] ?? MAX_JSON_BYTES);
    const answer = await call({ params: { ...found, body, headers }, meta }, bytes).catch(asKnown);
    if (answer.error) throw fromPlainError(answer.error);
    if (answer.status >= 400) edge.failure = { code: oauthErrorIn(answer.body), fields: [] };
    const sent = successBody(row.envelope, answer.body, answer.warnings);
    if (row.cached) sendCached(request, response, sent);
    else sendJson(response, answer.status, sent, answer.headers);
  };
}

/** The token endpoint has error codes of its own (RFC 6749). */
const oauthErrorIn = (body: unknown): string =>
  isRecord(body) && typeof body.error === "string" ? body.error : "unknown";

const LOST = new Set(["REQUEST_TIMEOUT", "REQUEST_REJECTED"]);

/** A lost call may have been executed; after any other failure it was not, or the failure is its answer. */
function asKnown(failure: unknown): never {
  throw LOST.has(errorCode(failure) ?? "") ? outcomeUnknown(failure) : failure;
}

function groupedCall(broker: ServiceBroker, { action }: Route, timeout: number): GroupedCall {
  return createGroupedCall(async (requests) => {
    const options = { timeout, wasRepeated: false, ...UNTRACKED };
    const answers = await callGroup(broker, action, requests, options);
    return { answers: options.wasRepeated ? answers.map(asRepeated) : answers };
  });
}

/** The lost try may have made the change that a later try could not make. */
const asRepeated = (answer: GroupedAnswer): GroupedAnswer =>
  answer.error?.type === "Service.Unavailable"
    ? { ...answer, error: toPlainError(outcomeUnknown()) }
    : answer;

function singleCall(broker: ServiceBroker, { action }: Route, timeout: number): GroupedCall {
  return async ({ params, meta }) => {
    // Moleculer merges the meta that the action set back into the meta of the call.
    const answerMeta: CallMeta & AnswerMeta = meta;
    const options = { meta: answerMeta, requestID: meta.requestId, timeout, ...UNTRACKED };
    const body: unknown = await broker.call(action, params, options);
    const { $statusCode: status = 200, $responseHeaders: headers = {}, $warnings: warnings } = answerMeta;
    return { status, headers, body, ...(warnings ? { warnings } : {}) };
  };
}

/** A stop already waits for the requests of the listener. */
const UNTRACKED = { tracking: false };
