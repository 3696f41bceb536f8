/** The authenticated caller: established and signed by the gateway, believed by a service when the signature is right. */
import { AppError } from "../errors.ts";

export const SCOPES = ["partner.read", "partner.write"] as const;
export type Scope = (typeof SCOPES)[number];
export type Role = "Owner" | "Developer" | "Viewer" | "Analyst";

export type PartnerCaller = {
  kind: "partner";
  partnerId: string;
  clientId: string;
  scopes: readonly Scope[];
  isTest?: true;
};
/** `sessionId` is a hash of the cookie and cannot be used to sign in. */
export type UserCaller = {
  kind: "user";
  userId: string;
  email: string;
  role: Role;
  partnerId: string;
  /** Acts for the sandbox of the partner. */
  isTest?: true;
  sessionId?: string;
};
export type AnalystCaller = {
  kind: "analyst";
  userId: string;
  email: string;
  /** May release the claims of colleagues. */
  isLead?: true;
  sessionId?: string;
};
export type Caller = PartnerCaller | UserCaller | AnalystCaller;

/** The meta of every Moleculer call in this system. */
export type CallMeta = {
  requestId: string;
  /** Made by the gateway, where the caller gave the other one. */
  serverRequestId?: string;
  /** UUID version 7 of a write that may be repeated: set by the gateway, the same on every try. */
  callId?: string;
  traceparent: string;
  caller: Caller | null;
  /** In place of the caller between processes: what the gateway signed (caller-statement.ts). */
  statement?: string;
  /** Deadline of the call by the reader's clock; the transporter translates it (peers.ts). No work starts later. */
  endsAt?: number;
  /** Operator by the name on the command line; set by the admin process. */
  operator?: string;
  /** Client address as seen through trusted proxies; set by the gateway. */
  clientAddress?: string;
};

export function partnerOf(meta: CallMeta): string {
  if (!meta.caller || meta.caller.kind === "analyst")
    throw new AppError("Partner.NotAuthenticated", "No partner identity is known for this request.");
  return meta.caller.partnerId;
}

export const isTestCaller = ({ caller }: Pick<CallMeta, "caller">): boolean =>
  caller !== null && caller.kind !== "analyst" && caller.isTest === true;

export function analystOf(meta: CallMeta): AnalystCaller {
  if (meta.caller?.kind !== "analyst")
    throw new AppError("Partner.NotAuthenticated", "This operation needs the session of an analyst.");
  return meta.caller;
}
