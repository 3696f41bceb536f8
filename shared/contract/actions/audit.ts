/** Entries of the audit trail, and how they are asked for. */

export type AuditActor = {
  kind: "user" | "analyst" | "partner" | "operator" | "system";
  /** User id, client id, or the name that an operator gave. */
  id: string;
  email: string | null;
};

/** Ids, codes, names of states and settings: never a secret, a text that a person wrote, or anything about a customer's people. */
export type AuditFacts = Readonly<Record<string, unknown>>;

/** What a service says of its change; who did it, from where and when is added. */
export type AuditFact = {
  action: string;
  /** Whose list shows it; null for what concerns no partner. */
  partnerId: string | null;
  /** Id of what was changed or read. */
  subject: string;
  before: AuditFacts | null;
  after: AuditFacts | null;
};

export type AuditEntry = AuditFact & {
  /** UUID version 7: the id is the order. */
  id: string;
  at: string;
  service: string;
  who: AuditActor;
  /** The address the request came from; null for an operator's command. */
  from: string | null;
  /** As the caller gave it, if it did. */
  requestId: string;
  /** Made by us for each request, so that nobody can muddle an investigation with the id of another request. */
  serverRequestId: string;
};

/** The last entry of a chain. */
export type ChainHead = { id: string; n: number; hash: string; at: string };

/** The place of an entry among those that one run of a process wrote. */
export type ChainLink = {
  /** Of the chain. */
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

/** An entry as far as its chain goes. */
export type AuditLink = {
  id: string;
  at: string;
  /** Of the content; an entry under a key that is gone is unsealed. */
  state: "sound" | "changed" | "unsealed";
  /** Null in entries of releases before the chain. */
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
