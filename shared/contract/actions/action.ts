/** The type of an action: its request and its answer. */
import type { Readiness } from "../../health.ts";
import type { GroupedAnswer, GroupedRequest } from "../../moleculer/grouped-call.ts";
import type { HttpParams } from "../../moleculer/http-params.ts";
import type { Answer, JsonSchema } from "../answer-schema.ts";

export type Called<Request, Answer> = { request: Request; answer: Answer };

/** Behind a route: the answer fits the schema and becomes the value of the response. */
export type Routed<S extends JsonSchema> = Called<HttpParams, Answer<S>>;

/** Behind a route whose requests travel together; each has its own answer. */
export type Grouped = Called<{ requests: readonly GroupedRequest[] }, { answers: GroupedAnswer[] }>;

/** Offered by every service. */
export type CommonActions = {
  ping: Called<HttpParams, { pong: true }>;
  ready: Called<object, Readiness>;
};
