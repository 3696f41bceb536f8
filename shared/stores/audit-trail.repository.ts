/**
 * The audit trail of a service, in its own database `<database>_audit`, where the service may only read and insert. A
 * change and its entry are one transaction. Entries of a process form a chain in the order of the commits.
 */
import type { ClientSession, Connection, mongo } from "mongoose";
import type { Clock } from "../clock.ts";
import type { FieldKey } from "../config/config.ts";
import type {
  AuditLink,
  AuditLinks,
  AuditLinksQuery,
  AuditQuery,
  ChainHead,
  ChainLink,
} from "../contract/actions/audit.ts";
import type { KeySweepRequest } from "../contract/actions/field-keys.ts";
import type { AuditActor, AuditEntry, AuditFact } from "../contract/answers/audit.ts";
import { withDeadline } from "../deadline.ts";
import type { CallMeta } from "../identity/caller.ts";
import { lowestIdAt, orderedId, randomId } from "../ids.ts";
import { collection } from "../mongo/collections.rules.ts";
import { OperationLate } from "../mongo/mongo-deadlines.ts";
import { type AuditSeals, createAuditSeals } from "./audit-chain.rules.ts";

export type AuditTrail = ReturnType<typeof auditTrail>;

export type Session = ClientSession;

/** The fact is null when nothing was changed. */
export type Audited<T> = { value: T; fact: AuditFact | null };

type Stored = Omit<AuditEntry, "id" | "at"> & { _id: string; at: Date; chain?: ChainLink };
type Entry = Omit<Stored, "_id" | "chain">;

type Settings = {
  service: string;
  clock: Clock;
  /** Field keys of the service; a key derived from each makes the seals. */
  keys: readonly FieldKey[];
  retentionDays: number;
};

const WITHIN_MS = 10_000;
const LINKS_ON_A_PAGE = 500;
/** A transaction ends within a minute, and clocks differ by half a minute. */
const SETTLED_AFTER_MS = 2 * 60_000;
/** A new chain names earlier chains, which are searched among this many entries. */
const ANCHORED_ENTRIES = 200;

/** An administrator creates its indexes where the service may only add entries; lists work without them, slower. */
export const AUDIT_ENTRIES = collection<Stored>("audit_entries", {
  shards: "entries of one process form a chain, written one at a time",
  indexes: [{ key: { partnerId: 1, _id: -1 } }],
  isAudit: true,
});

export function auditTrail(connection: Connection, { service, clock, keys, retentionDays }: Settings) {
  // The client is there once it is connected.
  const entries = () =>
    connection.getClient().db(`${connection.name}_audit`).collection<Stored>(AUDIT_ENTRIES.name);
  const inTime = <T>(work: () => Promise<T>): Promise<T> => withDeadline(work(), WITHIN_MS, tooLate);
  const seals = createAuditSeals(keys);
  const nextTurn = createChain(entries, seals);

  const entryOf = (meta: Partial<CallMeta>, fact: AuditFact): Entry => {
    const { clientAddress = null, requestId = "", serverRequestId = requestId } = meta;
    const at = new Date(clock.now());
    return { at, service, who: actorOf(meta), from: clientAddress, requestId, serverRequestId, ...fact };
  };

  return {
    /**
     * Runs a change and writes its entry. Operations of mongoose models take part by themselves, others by the session that
     * they are given. The work may run more than once, so it only reads and writes, one operation at a time.
     */
    change: <T>(meta: Partial<CallMeta>, work: (session: ClientSession) => Promise<Audited<T>>): Promise<T> =>
      inTime(async () => {
        const endsAt = performance.now() + WITHIN_MS;
        let turn: Turn | null = null;
        try {
          const value = await connection.transaction(async (session) => {
            // A try that lost against another change gives its turn back, or both would wait for each other.
            turn?.end("not written");
            turn = null;
            const { value, fact } = await work(session);
            if (fact) {
              turn = await nextTurn();
              if (performance.now() > endsAt) throw tooLate();
              await turn.insert(entryOf(meta, fact), { session });
            }
            return value;
          });
          (turn as Turn | null)?.end("written");
          return value;
        } catch (error) {
          (turn as Turn | null)?.end("unknown");
          throw error;
        }
      }),

    /** For work outside a transaction: the entry is written first and records the request. */
    asked: (meta: Partial<CallMeta>, fact: AuditFact): Promise<void> =>
      inTime(async () => {
        const turn = await nextTurn();
        try {
          await turn.insert(entryOf(meta, fact), {});
          turn.end("written");
        } catch (error) {
          turn.end("unknown");
          throw error;
        }
      }),

    /** Newest first. */
    async list({ partnerId, beforeId, limit }: AuditQuery): Promise<AuditEntry[]> {
      const found = entries()
        .find({
          ...(partnerId === null ? {} : { partnerId }),
          ...(beforeId === null ? {} : { _id: { $lt: beforeId } }),
        })
        .sort({ _id: -1 })
        .limit(limit);
      return (await inTime(() => found.toArray())).map(({ _id, at, chain: _, ...rest }) => ({
        ...rest,
        id: _id,
        at: at.toISOString(),
      }));
    },

    /** Oldest first, as far as no older entry can still appear. */
    async links({ after }: AuditLinksQuery): Promise<AuditLinks> {
      const now = clock.now();
      const settled = { _id: { $lt: lowestIdAt(now - SETTLED_AFTER_MS) } };
      // No process writes entries of the future, so these were inserted.
      const toCome = { _id: { $gt: lowestIdAt(now + SETTLED_AFTER_MS) } };
      const found = entries()
        .find({ ...(after === null ? {} : { _id: { $gt: after } }), $or: [settled, toCome] })
        .sort({ _id: 1 })
        .limit(LINKS_ON_A_PAGE);
      const page = await inTime(() => found.toArray());
      const next = page.length === LINKS_ON_A_PAGE ? (page.at(-1)?._id ?? null) : null;
      return { links: page.map((entry) => linkOf(seals, entry)), next, retentionDays };
    },
  };
}

const tooLate = () => new OperationLate("The audit trail did not answer in time.");

type Turn = Awaited<ReturnType<ReturnType<typeof createChain>>>;

/** The chain of this process. A fault of the database leaves open whether an entry is stored, so a new chain follows. */
function createChain(entries: () => mongo.Collection<Stored>, seals: AuditSeals) {
  let head: (ChainHead & { idMs: number }) | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function beginning() {
    const newest = await entries()
      .find({}, { projection: { chain: 1, at: 1 } })
      .sort({ _id: -1 })
      .limit(ANCHORED_ENTRIES)
      .toArray();
    return { id: randomId(), n: 1, before: null, beforeAt: null, heads: headsOf(newest) };
  }

  return async () => {
    const done = Promise.withResolvers<void>();
    const before = last;
    last = done.promise;
    await before;
    let written: typeof head = null;
    let isSent = false;
    return {
      async insert(entry: Entry, options: { session?: ClientSession }): Promise<void> {
        const place = head
          ? { id: head.id, n: head.n + 1, before: head.hash, beforeAt: head.at }
          : await beginning();
        // Ids of a chain are in its order, also when the clock was set back.
        const idMs = Math.max(entry.at.getTime(), (head?.idMs ?? 0) + 1);
        const sealed = seals.sealed({ _id: orderedId(idMs), ...entry, chain: place });
        isSent = true;
        await entries().insertOne(sealed as Stored, options);
        const { id, n, hash } = sealed.chain;
        written = { id, n, hash, at: entry.at.toISOString(), idMs };
      },
      /** Called once the outcome of the entry is certain, or cannot be found out. */
      end(outcome: "written" | "not written" | "unknown"): void {
        if (outcome === "written") head = written ?? head;
        if (outcome === "unknown" && isSent) head = null;
        done.resolve();
      },
    };
  };
}

function headsOf(newest: readonly Pick<Stored, "chain" | "at">[]): ChainHead[] {
  const heads = new Map<string, ChainHead>();
  for (const { chain, at } of newest)
    if (chain && (heads.get(chain.id)?.n ?? 0) < chain.n)
      heads.set(chain.id, { id: chain.id, n: chain.n, hash: chain.hash, at: at.toISOString() });
  return [...heads.values()];
}

function linkOf(seals: AuditSeals, { chain, ...entry }: Stored): AuditLink {
  const { _id: id, at } = entry;
  if (!chain) return { id, at: at.toISOString(), state: "sound", chain: null };
  const state = seals.judge({ ...entry, chain });
  const { keyId: _keyId, seal: _seal, ...place } = chain;
  return { id, at: at.toISOString(), state, chain: place };
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
