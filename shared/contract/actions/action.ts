/** What an action takes and gives, as a type. */
import type { Readiness } from "../../health.ts";
import type { GroupedAnswer, GroupedRequest } from "../../moleculer/grouped-call.ts";
import type { HttpParams } from "../../moleculer/http-params.ts";

export type Called<Request, Answer> = { request: Request; answer: Answer };

/** Behind a route: the answer becomes the value of the response. */
export type Routed<Answer> = Called<HttpParams, Answer>;

/** Behind a route whose requests travel together; each has its own answer. */
export type Grouped = Called<{ requests: readonly GroupedRequest[] }, { answers: GroupedAnswer[] }>;

/** Offered by every service. */
export type CommonActions = {
  ping: Routed<{ pong: true }>;
  ready: Called<object, Readiness>;
};
