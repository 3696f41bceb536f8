/** Who is calling: found out by the gateway, carried in the meta of every call, believed by the services. */
import { AppError } from "../errors.ts";

export const SCOPES = ["partner.read", "partner.write"] as const;
export type Scope = (typeof SCOPES)[number];
export type Role = "Owner" | "Developer" | "Viewer" | "Analyst";

export type PartnerCaller = {
  kind: "partner";
  partnerId: string;
  clientId: string;
  scopes: readonly Scope[];
};
/** `sessionId` is the hash of the cookie, which opens nothing. */
export type UserCaller = {
  kind: "user";
  userId: string;
  email: string;
  role: Role;
  partnerId: string;
  sessionId?: string;
};
export type AnalystCaller = { kind: "analyst"; userId: string; email: string; sessionId?: string };
export type Caller = PartnerCaller | UserCaller | AnalystCaller;

/** The meta of every Moleculer call in this system. */
export type CallMeta = {
  requestId: string;
  /** Of a write that may be asked for twice: never chosen by the caller, the same when it is tried again. UUID version 7. */
  callId?: string;
  traceparent: string;
  caller: Caller | null;
  /** Milliseconds since 1970: after that the caller has said that nothing was changed, so nothing may be begun. */
  notAfter?: number;
  /** Where the request came from, as far as proxies can be trusted; set by the gateway. */
  clientAddress?: string;
};

export function partnerOf(meta: CallMeta): string {
  if (!meta.caller || meta.caller.kind === "analyst")
    throw new AppError("Partner.NotAuthenticated", "No partner identity is known for this request.");
  return meta.caller.partnerId;
}

export function analystOf(meta: CallMeta): AnalystCaller {
  if (meta.caller?.kind !== "analyst")
    throw new AppError("Partner.NotAuthenticated", "This operation needs the session of an analyst.");
  return meta.caller;
}
