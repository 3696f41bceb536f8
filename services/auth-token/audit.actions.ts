/** Who did what, from the trails of all services: complete, or not at all. */
import type { AuditEntry, AuditQuery } from "../../shared/action-types/audit.ts";
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import { QueryReader } from "../../shared/query-reader.ts";
import type { Deps } from "./deps.ts";

const PAGE_SIZE = { usual: 50, most: 200 };

export function auditActions({ audit, otherTrails }: Deps) {
  return {
    listAudit: published(async ({ params, meta }) => {
      const reader = new QueryReader(params.query);
      const wanted = reader.text("partnerId");
      const beforeId = reader.text("cursor");
      const limit = reader.finish(reader.integer("pageSize", PAGE_SIZE.usual, PAGE_SIZE.most));
      const query = { partnerId: visiblePartner(meta, wanted), beforeId, limit };
      const items = await newestOf([audit.list, ...otherTrails], query);
      return {
        items: meta.caller?.kind === "user" ? items.map(withoutOperator) : items,
        nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null,
      };
    }),
  } satisfies Partial<Actions<"auth-token">>;
}

async function newestOf(trails: Deps["otherTrails"], query: AuditQuery): Promise<AuditEntry[]> {
  const lists = await Promise.all(trails.map((list) => list(query)));
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, query.limit);
}

/** People see what concerns their own partner; analysts and operators see everything, or one partner's part. */
function visiblePartner({ caller, operator }: CallMeta, wanted: string | null): string | null {
  if (caller?.kind === "user") return caller.partnerId;
  if (caller?.kind === "analyst" || (!caller && operator)) return wanted;
  throw new AppError("Partner.NotAuthenticated", "The audit trail is for people who are signed in.");
}

/** Partners see that the operator did it, not who of them. */
const withoutOperator = (entry: AuditEntry): AuditEntry =>
  entry.who.kind === "operator" ? { ...entry, who: { ...entry.who, id: "operator" } } : entry;
