/** A row of the action table: permitted processes, permitted callers, request and answer. */
import type { ProcessName } from "../../config/config.ts";
import type { Readiness } from "../../health.ts";
import type { Role, Scope } from "../../identity/caller.ts";
import type { GroupedAnswer, GroupedRequest } from "../../moleculer/grouped-call.ts";
import type { HttpParams } from "../../moleculer/http-params.ts";
import { type Answer, always, type JsonSchema, record } from "../answer-schema.ts";

/** Callers that the gateway may act for. */
export type Admitted = {
  /** A partner's API client with this scope. */
  client?: Scope;
  /** People of a partner with one of these roles. */
  people?: readonly Role[];
  analysts?: boolean;
  /** Also without a caller: the gateway's own questions, and routes that are open. */
  anyone?: boolean;
};

const ALL = ["Owner", "Developer", "Viewer"] as const;
export const READ: Admitted = { client: "partner.read" };
export const WRITE: Admitted = { client: "partner.write" };
export const SEE: Admitted = { people: ALL };
export const READ_AND_SEE: Admitted = { ...READ, ...SEE };
export const CHANGE: Admitted = { people: ["Owner", "Developer"] };
export const OWNER: Admitted = { people: ["Owner"] };
export const ANALYST: Admitted = { analysts: true };
export const SIGNED_IN: Admitted = { ...SEE, ...ANALYST };
export const ANYONE: Admitted = { anyone: true };
const NOBODY: Admitted = {};

export type ActionRow<P extends ProcessName = ProcessName, Request = unknown, Answer = unknown> = {
  processes: readonly P[];
  admitted: Admitted;
  /** Schema of the answer behind a route, where it becomes the value of the response. */
  value?: JsonSchema;
  /** Requests share a call, each with its own caller and answer. */
  isGrouped?: true;
  /** Never exists at run time; it carries the types. */
  types?: { request: Request; answer: Answer };
};

/** Behind a route. */
export const routed = <S extends JsonSchema>(
  admitted: Admitted,
  value: S,
): ActionRow<"gateway", HttpParams, Answer<S>> => ({ processes: ["gateway"], admitted, value });

/** Behind a route whose requests share a call. */
export const grouped = (
  admitted: Admitted,
  value: JsonSchema,
): ActionRow<"gateway", { requests: readonly GroupedRequest[] }, { answers: GroupedAnswer[] }> => ({
  processes: ["gateway"],
  admitted,
  value,
  isGrouped: true,
});

/** Called by one process on its own account. */
export const calledBy =
  <P extends ProcessName>(process: P) =>
  <Request, Answer>(): ActionRow<P, Request, Answer> => ({
    processes: [process],
    admitted: process === "gateway" ? ANYONE : NOBODY,
  });

/** Offered by every service. */
export const commonActions = {
  ping: routed(ANYONE, record({ pong: always(true) })),
  ready: calledBy("gateway")<object, Readiness>(),
};
