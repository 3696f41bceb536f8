/** How audit entries and their chain are queried. */
import type { AuditEntry } from "../answers/audit.ts";
import { calledBy } from "./action.ts";

/** The last entry of a chain. */
export type ChainHead = { id: string; n: number; hash: string; at: string };

/** The position of an entry in the chain that one run of a process writes. */
export type ChainLink = {
  /** The id of the chain. */
  id: string;
  /** Counts from 1. */
  n: number;
  /** Hash and time of the entry before; null for the first. */
  before: string | null;
  beforeAt: string | null;
  /** In a first entry: the heads of other chains, so that their ends cannot be cut off. */
  heads?: readonly ChainHead[];
  hash: string;
  keyId: string;
  seal: string;
};

/** The chain part of an entry. */
export type AuditLink = {
  id: string;
  at: string;
  /** The state of the content; an entry is unsealed when its key is gone. */
  state: "sound" | "changed" | "unsealed";
  /** Null for an entry that no service wrote. */
  chain: Omit<ChainLink, "keyId" | "seal"> | null;
};

export type AuditLinksQuery = { after: string | null };
export type AuditLinks = {
  links: AuditLink[];
  /** Null at the end. */
  next: string | null;
  retentionDays: number;
};

export type AuditQuery = {
  /** Null for the entries of all. */
  partnerId: string | null;
  /** Only entries before this one. */
  beforeId: string | null;
  limit: number;
};

/** Offered by every service with an audit log; auth-token merges the entries. */
export const trailActions = {
  auditEntries: calledBy("auth-token")<AuditQuery, { items: AuditEntry[] }>(),
  auditLinks: calledBy("admin")<AuditLinksQuery, AuditLinks>(),
};
