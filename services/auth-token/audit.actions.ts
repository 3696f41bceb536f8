/** The audit trails of all services, complete or not at all. */

import type { AuditQuery } from "../../shared/contract/actions/audit.ts";
import type { AuditEntry } from "../../shared/contract/answers/audit.ts";
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { readNewestFirst } from "../../shared/input/newest-first.rules.ts";
import { QueryReader } from "../../shared/input/query-reader.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import type { Deps } from "./deps.ts";

export function auditActions({ audit, otherTrails }: Deps) {
  return {
    listAudit: published(async ({ params, meta }) => {
      const reader = new QueryReader(params.query);
      const wanted = reader.text("partnerId");
      const query = { partnerId: visiblePartner(meta, wanted), ...reader.finish(readNewestFirst(reader)) };
      const items = await newestOf([audit.list, ...otherTrails], query);
      return {
        items: meta.caller?.kind === "user" ? items.map(withoutOperator) : items,
        nextCursor: items.length === query.limit ? (items.at(-1)?.id ?? null) : null,
      };
    }),
    auditLinks: internal(({ params }) => audit.links(params)),
  } satisfies Partial<Actions<"auth-token">>;
}

async function newestOf(trails: Deps["otherTrails"], query: AuditQuery): Promise<AuditEntry[]> {
  const lists = await Promise.all(trails.map((list) => list(query)));
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, query.limit);
}

/** An Owner sees entries of the own partner; the operator sees all entries, or those of one partner. */
function visiblePartner({ caller, operator }: CallMeta, wanted: string | null): string | null {
  if (caller?.kind === "user") return caller.partnerId;
  if (!caller && operator) return wanted;
  throw new AppError("Partner.NotAuthenticated", "The audit trail is for people who are signed in.");
}

/** Partners see that the operator acted, without the name. */
function withoutOperator(entry: AuditEntry): AuditEntry {
  if (entry.who.kind !== "operator") return entry;
  const { operator: _name, ...after } = entry.after ?? {};
  return { ...entry, who: { ...entry.who, id: "operator" }, after: entry.after && after };
}
