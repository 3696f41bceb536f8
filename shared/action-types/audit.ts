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
  requestId: string;
};

export type AuditQuery = {
  /** Null for the entries of all. */
  partnerId: string | null;
  /** Only entries before this one. */
  beforeId: string | null;
  limit: number;
};
