/** Every change of a stored profile: read, decide, compare and set. Repeated when another change was faster. */

import { isoTime } from "../../../shared/clock.ts";
import type { AuditFact } from "../../../shared/contract/answers/audit.ts";
import type { EventDraft } from "../../../shared/contract/events.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Session } from "../../../shared/stores/audit-trail.repository.ts";
import type { Deps } from "../deps.ts";
import type { KeptAnswer, Profile } from "../record/profile.types.ts";
import { currentState } from "../record/verification.rules.ts";
import { type CallOrigin, outboxEntries, trailEntry } from "./profile-events.rules.ts";

type ChangeDeps = Pick<Deps, "profiles" | "clock" | "outbox" | "mutex" | "audit">;

type Decided<T> = {
  /** Null when there is nothing to write. */
  after: Profile | null;
  facts: readonly Pick<EventDraft, "eventType" | "data">[];
  action: string;
  detail?: Record<string, unknown>;
  /** Free text: only for the record's own trail, which an erasure empties, and never for the audit trail. */
  words?: Record<string, unknown>;
  /** The answer to the request's Idempotency-Key. */
  kept?: KeptAnswer | null;
  answer(stored: Profile): T;
};

type Change<T> = {
  customerId: string;
  /** As it is stored. */
  read(): Promise<Profile>;
  /** Gets the profile with a lapsed claim taken away. */
  decide(current: Profile, at: string): Promise<Decided<T>> | Decided<T>;
  origin: CallOrigin;
  /** For a step that is also recorded in the audit trail, in one transaction with the change. */
  audited?: {
    meta: CallMeta;
    fact(before: Profile, after: Profile, detail: Record<string, unknown>): AuditFact;
  };
};

/** Callers of this process take turns, so a lost round means that another process changed the customer. */
const MAX_TRIES = 20;

export function changeProfile<T>(deps: ChangeDeps, change: Change<T>): Promise<T> {
  return inTurn(deps, change.customerId, async () => {
    const stored = await change.read();
    const at = isoTime(deps.clock);
    const current = currentState(stored, at);
    const decided = await change.decide(current, at);
    if (!decided.after) return { done: decided.answer(current) };
    const written = await write(deps, { ...change, stored, current, decided, at });
    return written && { done: decided.answer(written) };
  });
}

/** Runs a compare-and-set of a customer until it is done. Null means that the customer changed since it was read. */
export function inTurn<T>(
  { mutex }: Pick<Deps, "mutex">,
  customerId: string,
  attempt: () => Promise<{ done: T } | null>,
): Promise<T> {
  return mutex(customerId, async () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const result = await attempt();
      if (result) return result.done;
    }
    throw new AppError("Customer.Conflict", "The customer is being changed at the same time; try again.");
  });
}

type Write<T> = Pick<Change<T>, "origin" | "audited"> & {
  stored: Profile;
  current: Profile;
  decided: Decided<T>;
  at: string;
};

async function write<T>(
  deps: ChangeDeps,
  { stored, current, decided, origin, audited, at }: Write<T>,
): Promise<Profile | null> {
  const { after, facts, action, detail = {}, words = {}, kept = null } = decided;
  const { profiles, clock, outbox } = deps;
  if (!after) return null;
  const entries = outboxEntries(facts, after, origin, clock);
  const next = { ...after, sequence: after.sequence + entries.length };
  const audit = trailEntry(next, current, origin, { at, action, detail: { ...detail, ...words } });
  const store = (session?: Session) =>
    profiles.compareAndSet(stored, next, { audit, outbox: entries, kept }, session);
  const isStored = audited
    ? await deps.audit.change(audited.meta, async (session) => {
        const value = await store(session);
        return { value, fact: value ? audited.fact(current, next, detail) : null };
      })
    : await store();
  if (!isStored) return null;
  outbox.publish(entries);
  return next;
}
