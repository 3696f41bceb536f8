/** The only way a stored profile changes: read, decide, compare and set; again when another change was faster. */

import { isoTime } from "../../../shared/clock.ts";
import type { AuditFact } from "../../../shared/contract/answers/audit.ts";
import { type EventDraft, outboxEntry } from "../../../shared/contract/events.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Session } from "../../../shared/stores/audit-trail.repository.ts";
import type { Deps } from "../deps.ts";
import type { KeptAnswer, Profile } from "../record/profile.types.ts";
import { currentState } from "../record/verification.rules.ts";
import type { CallOrigin } from "./profile-events.rules.ts";
import { toDrafts } from "./profile-events.rules.ts";

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

/** Callers of one process take turns, so only other processes can be in the way. */
const MAX_TRIES = 20;

export function changeProfile<T>(deps: ChangeDeps, change: Change<T>): Promise<T> {
  return deps.mutex(change.customerId, async () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await change.read();
      const at = isoTime(deps.clock);
      const current = currentState(stored, at);
      const decided = await change.decide(current, at);
      if (!decided.after) return decided.answer(current);
      const written = await write(deps, { ...change, stored, current, decided, at });
      if (written) return decided.answer(written);
    }
    throw new AppError(
      "Customer.Conflict",
      "The customer is being changed by others at the same time; try again.",
    );
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
  const drafts = toDrafts(facts, after, stored.sequence + 1, origin);
  const entries = drafts.map((draft) => outboxEntry(draft, clock));
  const next = { ...after, sequence: stored.sequence + drafts.length };
  const { actor, requestId } = origin;
  const audit = {
    version: next.version,
    at,
    actor,
    action,
    from: stateOf(current),
    to: stateOf(after),
    requestId,
    detail: { ...detail, ...words },
  };
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

const stateOf = ({ verificationStatus, reviewStage }: Profile) => ({ verificationStatus, reviewStage });
