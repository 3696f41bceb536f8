/** What one row of the route table says. */
import type { ValidationSchema } from "fastest-validator";
import type { ActionName } from "../shared/actions.ts";
import type { JsonSchema } from "../shared/answer-schema.ts";
import type { ErrorCode } from "../shared/error-codes.ts";
import type { Role, Scope } from "../shared/identity/caller.ts";

/** Who may call: a partner's token, a person of a partner, the operator's analyst, the signed-in person whoever it is, or anybody. */
export type AuthKind = "partner" | "user" | "analyst" | "session" | "none";

export type RouteDoc = {
  summary: string;
  description?: string;
  /** fastest-validator schemas; they become JSON Schema in the OpenAPI document. */
  body?: ValidationSchema;
  query?: ValidationSchema;
  /** JSON Schema of `value`. */
  value?: JsonSchema;
  bodyExample?: unknown;
  valueExample?: unknown;
  errors?: readonly ErrorCode[];
  /** Codes that are 404 here, because the address names what is missing; elsewhere a body does, and they are 400. */
  missing?: readonly ErrorCode[];
  /** What each status means where the answer has no code of ours, as at the token endpoint. */
  failures?: Readonly<Record<number, string>>;
};

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As path-to-regexp 8 takes it: /api/partner/v1/business-profiles/:customerId */
  path: string;
  action: ActionName;
  auth: AuthKind;
  /** Needed by the partner's token; given exactly when auth is "partner". */
  scope?: Scope;
  /** Roles that may use it; for auth "user". */
  roles?: readonly Role[];
  /** Readable although the partner is inactive or not yet approved. */
  openToInactivePartner?: boolean;
  /** Which budget a request counts against. */
  limit: "read" | "write" | "token" | "none";
  body: "json" | "form" | "none";
  /** Requests that arrive together reach the action in one call, as shared/moleculer/grouped-call.ts says. The path takes no parameters. */
  grouped?: boolean;
  /** Code of a body that is no JSON; ValidationControl.Error unless said. */
  malformedCode?: ErrorCode;
  /** Shape of the answer: {isSuccess, value}, {value, isSuccess, error}, or the action's own. */
  envelope: "partner" | "dashboard" | "plain";
  /** Answers this when the action's service cannot be reached. */
  unavailableCode?: ErrorCode;
  tag: string;
  doc: RouteDoc;
};
