/** The rows of the route table: routes, which an action answers, and pages, which the gateway answers itself. */
import type { ActionName } from "../shared/contract/actions.ts";
import type { ErrorCode } from "../shared/contract/error-codes.ts";
import type { Role } from "../shared/identity/caller.ts";

export type Method = "GET" | ChangeMethod;
type ChangeMethod = "POST" | "PUT" | "PATCH" | "DELETE";

/** The budget that a request counts against. */
export type Limit = "read" | "write" | "token" | "login" | "page" | "none";

/** Permitted callers: a partner's token, a person of a partner, an analyst, any signed-in person, or any caller. */
export type Access =
  | { auth: "partner"; method: "GET"; scope: "partner.read"; roles?: never; limit: "read" }
  | { auth: "partner"; method: ChangeMethod; scope: "partner.write"; roles?: never; limit: "write" }
  | { auth: "user"; method: Method; scope?: never; roles: readonly [Role, ...Role[]]; limit: Limit }
  | { auth: "analyst" | "session" | "none"; method: Method; scope?: never; roles?: never; limit: Limit };

export type Handling = {
  body: "json" | "form" | "none";
  /** Shape of the answer: {isSuccess, value}, {value, isSuccess, error}, or the action's own. */
  envelope: "partner" | "dashboard" | "plain";
  /** Requests that arrive together reach the action in one call; see shared/moleculer/grouped-call.ts. */
  grouped?: boolean;
  /** The same for everybody: one answer serves all who ask within a second. */
  sameForAll?: boolean;
  /** Has an ETag, and is not sent again to a browser that has it. */
  cached?: boolean;
  /** Served although the partner is inactive or not yet approved. */
  openToInactivePartner?: boolean;
  /** Open to all; a browser with a session is the caller of that session. */
  optionalSession?: boolean;
  /** Only shortly after signing in, by PBO_FRESH_SIGN_IN_MINUTES. */
  fresh?: boolean;
  /** Code for a body that is no JSON; ValidationControl.Error by default. */
  malformedCode?: ErrorCode;
  /** Code for a service that cannot be reached; Service.Unavailable by default. */
  unavailableCode?: ErrorCode;
  /** Advice to a caller whose change has an unknown outcome; reading it again by default. */
  findOut?: string;
};

export type Route = Access &
  Handling & {
    /** With its parameters: /api/partner/v1/business-profiles/:customerId */
    path: string;
    action: ActionName;
    /** Section of the API document. */
    tag: string;
  };

/** A row without an action. */
export type Page = {
  method: Method;
  path: string;
  page: "start" | "dashboard" | "docs" | "document" | "alive" | "ready" | "notification" | "withdrawn";
  limit: "page" | "none";
  envelope: "partner";
  /** Successor of a withdrawn operation. */
  successor?: string;
};

export type Row = Route | Page;

/** A POST of the Partner API takes an Idempotency-Key. */
export const takesKey = ({ method, auth }: Pick<Route, "method" | "auth">): boolean =>
  method === "POST" && auth === "partner";

/** Changes something that a read can show; a token is simply requested again. */
export const isChange = ({ method, envelope }: Pick<Route, "method" | "envelope">): boolean =>
  method !== "GET" && envelope !== "plain";
