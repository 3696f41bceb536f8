/** Actions type-checked at both ends: in the service that offers them and in the process that calls them. */
import type { ActionSchema, CallingOptions, Context } from "moleculer";
import type { ProcessName, ServiceName } from "../config/config.ts";
import type { ActionTypes, AnswerOf, CallableBy, RequestOf } from "../contract/actions.ts";
import type { Violation } from "../errors.ts";
import type { CallMeta } from "../identity/caller.ts";

/** Parts of the HTTP answer that an action may set. */
export type AnswerMeta = {
  $statusCode?: number;
  $responseHeaders?: Record<string, string>;
  $warnings?: readonly Violation[];
};

export type ActionContext<Request> = Context<Request, CallMeta & AnswerMeta>;
type Handler<Request, Answer> = (ctx: ActionContext<Request>) => Answer | Promise<Answer>;

/** `typed` never exists at run time; it carries the types. */
export type Action<Request, Answer> = ActionSchema & { readonly typed?: (request: Request) => Answer };

/** The actions a service implements itself; the common ones are added. */
export type Actions<S extends ServiceName> = {
  [A in Exclude<keyof ActionTypes[S], "ping" | "ready">]: ActionTypes[S][A] extends {
    request: infer Request;
    answer: infer Answer;
  }
    ? Action<Request, Answer>
    : never;
};

const action =
  (visibility: "published" | "public") =>
  <Request, Answer>(handler: Handler<Request, Answer>): Action<Request, Answer> => ({ visibility, handler });

/** An action behind a route of the gateway. */
export const published = action("published");

/** An action for other processes only. */
export const internal = action("public");

export type CallAction<P extends ProcessName> = <N extends CallableBy<P>>(
  action: N,
  request: RequestOf<N>,
  options?: CallingOptions,
) => Promise<AnswerOf<N>>;

type CanCall = { call(action: string, params: never, options?: CallingOptions): Promise<unknown> };

/** Calls on behalf of a process, from its broker or from the context of a call it is answering. */
export const callerFor =
  <P extends ProcessName>(_process: P, from: object): CallAction<P> =>
  (action, request, options) =>
    (from as CanCall).call(action, request as never, options) as Promise<never>;
