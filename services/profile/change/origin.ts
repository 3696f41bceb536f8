/** Where a change comes from, for its events and its audit entry. */
import type { CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Origin } from "./profile-events.rules.ts";

type AuditActor = CustomerAuditEntry["actor"];
export type CallOrigin = Origin & { actor: AuditActor };

export function originOf(meta: CallMeta): CallOrigin {
  const { requestId = "", traceparent = "", caller } = meta;
  return {
    requestId,
    correlationId: traceparent.split("-")[1] || requestId,
    traceparent: traceparent || null,
    actor: caller ? actorOf(caller) : { kind: "system", id: "system" },
  };
}

function actorOf(caller: NonNullable<CallMeta["caller"]>): AuditActor {
  if (caller.kind === "analyst") return { kind: "analyst", id: caller.userId };
  return { kind: "partner", id: caller.kind === "partner" ? caller.clientId : caller.userId };
}
