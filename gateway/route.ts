/** What one row of the route table says. */
import type { ActionName } from "../shared/contract/actions.ts";
import type { ErrorCode } from "../shared/contract/error-codes.ts";
import type { Role } from "../shared/identity/caller.ts";

export type Method = "GET" | ChangeMethod;
type ChangeMethod = "POST" | "PUT" | "PATCH" | "DELETE";

/** Which budget a request counts against. */
export type Limit = "read" | "write" | "token" | "login" | "none";

/** Who may call: a partner's token, a person of a partner, an analyst, any signed-in person, or anybody. */
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
  /** Carries an ETag of its own, and is not sent again to who has it. */
  cached?: boolean;
  /** Served although the partner is inactive or not yet approved. */
  openToInactivePartner?: boolean;
  /** Open to all; the session of a browser that has one is the caller. */
  optionalSession?: boolean;
  /** Only shortly after signing in, by PBO_FRESH_SIGN_IN_MINUTES. */
  fresh?: boolean;
  /** Code for a body that is no JSON; ValidationControl.Error by default. */
  malformedCode?: ErrorCode;
  /** Code for a service that cannot be reached; Service.Unavailable by default. */
  unavailableCode?: ErrorCode;
  /** What a caller does who is told that the outcome is unknown; reads it again by default. */
  findOut?: string;
};

export type Route = Access &
  Handling & {
    /** As path-to-regexp 8 takes it: /api/partner/v1/business-profiles/:customerId */
    path: string;
    action: ActionName;
    /** Section of the API document. */
    tag: string;
  };

/** A POST of the Partner API takes an Idempotency-Key. */
export const takesKey = ({ method, auth }: Pick<Route, "method" | "auth">): boolean =>
  method === "POST" && auth === "partner";

/** Leaves something that a caller can look for; a token is simply asked for again. */
export const isChange = ({ method, envelope }: Pick<Route, "method" | "envelope">): boolean =>
  method !== "GET" && envelope !== "plain";
