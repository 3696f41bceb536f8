/**
 * Erases a customer: one write destroys its key, empties it and leaves a tombstone with ids and dates; then its files go.
 * An erasure that was interrupted between the two is finished by the sweep, or by erasing once more.
 */

import { isoTime } from "../../../shared/clock.ts";
import type { Erasure } from "../../../shared/contract/actions/profile.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import { AppError } from "../../../shared/errors.ts";
import { randomId } from "../../../shared/ids.ts";
import { erasedFact, toDrafts } from "../change/profile-events.rules.ts";
import type { Deps } from "../deps.ts";
import { type ErasedCustomer, type ErasureCause, tombstoneOf } from "../record/erased-customer.rules.ts";
import type { Profile } from "../record/profile.types.ts";

export type EraseDeps = Pick<
  Deps,
  "profiles" | "erasures" | "clock" | "logger" | "outbox" | "mutex" | "eraseDocuments"
>;

type Wish = { customerId: string; partnerId: string; cause: ErasureCause };

/** Each lost round means that another process changed the customer. */
const MAX_TRIES = 20;

export async function eraseCustomer(
  deps: EraseDeps,
  { customerId, partnerId, cause }: Wish,
): Promise<Erasure> {
  const erased = await deps.mutex(customerId, async () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const profile = await deps.profiles.findById(customerId);
      const found = profile ?? (await deps.erasures.find(customerId));
      if (!found) throw new AppError("Customer.NotFound", "There is no customer with this id.");
      if (found.partnerId !== partnerId)
        throw new AppError("Partner.NotAuthorized", "This customer belongs to another partner.");
      const done = profile ? await leaveTombstone(deps, profile, cause) : (found as ErasedCustomer);
      if (done) return done;
    }
    throw new AppError("Customer.Conflict", "The customer is being changed at the same time; try again.");
  });
  const finished = await finishErasure(deps, customerId, erased).then(
    () => true,
    (err) => {
      deps.logger.warn({ err, customerId }, "customer.erasure_unfinished");
      return false;
    },
  );
  return { customerId, partnerId, erasedAt: erased.erasedAt, finished };
}

/** Null when the customer changed since it was read: it may not be due any more. */
export async function leaveTombstone(
  { erasures, clock, logger, outbox }: EraseDeps,
  profile: Profile,
  cause: ErasureCause,
): Promise<ErasedCustomer | null> {
  const at = isoTime(clock);
  const requestId = randomId();
  const origin = { requestId, correlationId: requestId, traceparent: null };
  const drafts = toDrafts([erasedFact(profile, at)], profile, profile.sequence + 1, origin);
  const entries = drafts.map((draft) => outboxEntry(draft, clock));
  const tombstone = tombstoneOf(profile, cause, at);
  if (!(await erasures.erase(profile, tombstone, entries))) return null;
  const { _id: customerId, partnerId } = profile;
  logger.info({ customerId, partnerId, requestId, ...cause }, "customer.erased");
  outbox.publish(entries);
  return tombstone.erased;
}

/** Every step may be done again. */
export async function finishErasure(
  { erasures, eraseDocuments, logger }: EraseDeps,
  customerId: string,
  { isUnfinished }: Pick<ErasedCustomer, "isUnfinished">,
): Promise<void> {
  if (!isUnfinished) return;
  await eraseDocuments(customerId);
  await erasures.finish(customerId);
  logger.info({ customerId }, "customer.erasure_finished");
}
