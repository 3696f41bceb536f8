/**
 * Entries of an audit log are chained: each has the hash of the entry before it in its process, and a seal under a key
 * that is not in the database. So `admin audit verify` finds removed, changed, inserted and moved entries.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { FieldKey } from "../config/config.ts";
import type { AuditLink, ChainHead, ChainLink } from "../contract/actions/audit.ts";
import { sortedJson } from "../is-record.ts";

/** The hashed value: the whole entry, with its position in the chain. */
type Hashed = { chain: Omit<ChainLink, "hash" | "keyId" | "seal"> } & Readonly<Record<string, unknown>>;

export type AuditSeals = ReturnType<typeof createAuditSeals>;

/** Seals under the first key and accepts every key. An entry whose key is gone is judged by the heads in later entries. */
export function createAuditSeals(keys: readonly FieldKey[]) {
  const byId = new Map(keys.map(({ id, key }) => [id, sealKey(key)]));
  const keyId = keys[0]?.id ?? "";
  const sealOf = (id: string, hash: string): string | null => {
    const key = byId.get(id);
    return key ? createHmac("sha256", key).update(hash).digest("base64url") : null;
  };
  return {
    sealed<T extends Hashed>(entry: T): Omit<T, "chain"> & { chain: ChainLink } {
      const hash = hashOf(entry);
      return { ...entry, chain: { ...entry.chain, hash, keyId, seal: sealOf(keyId, hash) ?? "" } };
    },
    judge({ chain, ...entry }: { chain: ChainLink } & Readonly<Record<string, unknown>>): AuditLink["state"] {
      const { hash, keyId: own, seal, ...place } = chain;
      if (hashOf({ ...entry, chain: place }) !== hash) return "changed";
      const wanted = sealOf(own, hash);
      if (wanted === null) return "unsealed";
      return isSame(wanted, seal) ? "sound" : "changed";
    },
  };
}

/** Apart from every other use of the field key. */
const sealKey = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", "partner-onboarding audit trail", 32));

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const hashOf = (entry: Hashed): string => createHash("sha256").update(sortedJson(entry)).digest("base64url");

export type ChainReport = {
  entries: number;
  /** Entries whose key is gone and which no later entry names. */
  unsealed: number;
  problems: string[];
  /** The last entry of each chain, for a later run. */
  heads: ChainHead[];
};

type Limits = {
  /** Entries from before this time may have expired. */
  expiredBefore: number;
  /** Heads of other chains that an entry after this time names may not be among the entries that were read. */
  settledBefore: number;
  /** Heads of an earlier run. */
  known?: readonly ChainHead[];
};

type Chain = ChainHead & { unsealed: Map<number, string> };

/** Takes the entries of one audit log, oldest first. */
export function createChainCheck({ expiredBefore, settledBefore, known = [] }: Limits) {
  const chains = new Map<string, Chain>();
  const anchors: { head: ChainHead; by: string }[] = known.map((head) => ({
    head,
    by: "an earlier verification",
  }));
  const report: ChainReport = { entries: 0, unsealed: 0, problems: [], heads: [] };
  const problem = (text: string) => void report.problems.push(text);
  const mayHaveExpired = (at: string | null): boolean => at !== null && Date.parse(at) < expiredBefore;

  function link(entry: AuditLink, chain: NonNullable<AuditLink["chain"]>): void {
    const { id, at } = entry;
    const last = chains.get(chain.id);
    const isNext = last ? chain.n === last.n + 1 && chain.before === last.hash : chain.n === 1;
    if (!isNext && last && chain.n <= last.n) problem(`${id} was inserted or moved: its chain is past it`);
    else if (!isNext && last && chain.n === last.n + 1) problem(`${id} does not follow the entry before it`);
    else if (!isNext && !mayHaveExpired(chain.beforeAt)) {
      const missing = chain.n - 1 - (last?.n ?? 0);
      problem(`${missing} entries before ${id} were removed`);
    }
    const unsealed = last?.unsealed ?? new Map<number, string>();
    if (entry.state === "unsealed") unsealed.set(chain.n, chain.hash);
    chains.set(chain.id, {
      id: chain.id,
      n: Math.max(chain.n, last?.n ?? 0),
      hash: chain.hash,
      at,
      unsealed,
    });
    if (Date.parse(at) < settledBefore)
      anchors.push(...(chain.heads ?? []).map((head) => ({ head, by: `the entry ${id}` })));
  }

  return {
    take(entry: AuditLink): void {
      report.entries += 1;
      if (entry.state === "changed") problem(`${entry.id} was changed`);
      else if (entry.chain) link(entry, entry.chain);
      else problem(`${entry.id} was inserted: it is in no chain`);
    },
    finish(): ChainReport {
      for (const { head, by } of anchors) {
        const chain = chains.get(head.id);
        if ((chain?.n ?? 0) < head.n && !mayHaveExpired(head.at))
          problem(
            `entries after the last one of chain ${head.id} were removed: ${by} names number ${head.n}`,
          );
        // A later entry vouches for an older one whose key is gone, and so for all before that one.
        if (chain?.unsealed.get(head.n) === head.hash)
          for (const n of chain.unsealed.keys()) if (n <= head.n) chain.unsealed.delete(n);
      }
      for (const { unsealed, ...head } of chains.values()) {
        report.unsealed += unsealed.size;
        report.heads.push(head);
      }
      return report;
    },
  };
}
