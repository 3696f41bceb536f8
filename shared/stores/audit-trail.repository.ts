/**
 * The audit trail of a service: a collection in a database of its own, `<database>_audit`, where the service's user may
 * read and insert and nothing else. A change and its entry are one transaction, so neither is there without the other.
 */
import type { ClientSession, Connection, mongo } from "mongoose";
import type { AuditActor, AuditEntry, AuditFact, AuditQuery } from "../action-types/audit.ts";
import type { KeySweepRequest } from "../action-types/field-keys.ts";
import type { Clock } from "../clock.ts";
import { withDeadline } from "../deadline.ts";
import type { CallMeta } from "../identity/caller.ts";
import { orderedId } from "../ids.ts";
import { OperationLate } from "../mongo/mongo-deadlines.ts";

export type AuditTrail = {
  /**
   * Runs a change and writes what it says of itself. Operations of mongoose models take part by themselves, others by the
   * session they are given. The work may run more than once, so it reads and writes and does nothing else, one at a time.
   */
  change<T>(meta: Partial<CallMeta>, work: (session: ClientSession) => Promise<Audited<T>>): Promise<T>;
  /** For what cannot be part of a transaction: written first, it says that something was asked for. */
  asked(meta: Partial<CallMeta>, fact: AuditFact): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<AuditEntry[]>;
};

/** Of a transaction, for operations of the driver. */
export type Session = ClientSession;

/** Without a fact when nothing was changed. */
export type Audited<T> = { value: T; fact: AuditFact | null };

type Stored = Omit<AuditEntry, "id" | "at"> & { _id: string; at: Date };

const WITHIN_MS = 10_000;
const UNAUTHORIZED = 13;

/** Where the user may only add entries an administrator makes the index; lists work without it, slower. */
export const auditTrailIndexes = (connection: Connection) => ({
  createIndexes: () =>
    entriesOf(connection)
      .createIndex({ partnerId: 1, _id: -1 })
      .catch((error: { code?: number }) => {
        if (error.code !== UNAUTHORIZED) throw error;
      }),
});

/** The client is there once it is connected. */
const entriesOf = (connection: Connection): mongo.Collection<Stored> =>
  connection.getClient().db(`${connection.name}_audit`).collection<Stored>("audit_entries");

export function auditTrail(
  connection: Connection,
  { service, clock }: { service: string; clock: Clock },
): AuditTrail {
  const entries = () => entriesOf(connection);
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    withDeadline(work, WITHIN_MS, () => new OperationLate("The audit trail did not answer in time."));

  async function insert(meta: Partial<CallMeta>, fact: AuditFact, session?: ClientSession): Promise<void> {
    const now = clock.now();
    const { clientAddress = null, requestId = "" } = meta;
    const entry: Stored = {
      _id: orderedId(now),
      at: new Date(now),
      service,
      who: actorOf(meta),
      from: clientAddress,
      requestId,
      ...fact,
    };
    await entries().insertOne(entry, session ? { session } : {});
  }

  return {
    change: (meta, work) =>
      inTime(
        connection.transaction(async (session) => {
          const { value, fact } = await work(session);
          if (fact) await insert(meta, fact, session);
          return value;
        }),
      ),
    asked: (meta, fact) => inTime(insert(meta, fact)),
    async list({ partnerId, beforeId, limit }) {
      const found = entries()
        .find({
          ...(partnerId === null ? {} : { partnerId }),
          ...(beforeId === null ? {} : { _id: { $lt: beforeId } }),
        })
        .sort({ _id: -1 })
        .limit(limit);
      return (await inTime(found.toArray())).map(({ _id, at, ...rest }) => ({
        ...rest,
        id: _id,
        at: at.toISOString(),
      }));
    },
  };
}

/** Once for a sweep, with its first batch. */
export async function auditKeySweep(
  audit: AuditTrail,
  meta: Partial<CallMeta>,
  { position, reseal }: KeySweepRequest,
): Promise<void> {
  if (!reseal || position) return;
  const fact = { action: "field_keys.reseal_asked", subject: "field keys", partnerId: null };
  await audit.asked(meta, { ...fact, before: null, after: null });
}

function actorOf({ caller, operator }: Partial<CallMeta>): AuditActor {
  if (caller?.kind === "partner") return { kind: "partner", id: caller.clientId, email: null };
  if (caller) return { kind: caller.kind, id: caller.userId, email: caller.email };
  if (operator) return { kind: "operator", id: operator, email: null };
  return { kind: "system", id: "system", email: null };
}
