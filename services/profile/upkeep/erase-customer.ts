/**
 * Erases a customer. A single write destroys its key and all its data and keeps only ids and dates; then its files are erased.
 * If that is interrupted, the sweep or a second erasure completes it.
 */

import { isoTime } from "../../../shared/clock.ts";
import type { Erasure } from "../../../shared/contract/actions/profile.ts";
import { AppError } from "../../../shared/errors.ts";
import { randomId } from "../../../shared/ids.ts";
import { inTurn } from "../change/change-profile.ts";
import { erasedFact, outboxEntries } from "../change/profile-events.rules.ts";
import type { Deps } from "../deps.ts";
import { type ErasedCustomer, type ErasureCause, tombstoneOf } from "../record/erased-customer.rules.ts";
import type { Profile } from "../record/profile.types.ts";

export async function eraseCustomer(
  deps: Deps,
  { customerId, partnerId, cause }: { customerId: string; partnerId: string; cause: ErasureCause },
): Promise<Erasure> {
  const erased = await inTurn(deps, customerId, async () => {
    const profile = await deps.profiles.findById(customerId);
    const found = profile ?? (await deps.erasures.find(customerId));
    if (!found) throw new AppError("Customer.NotFound", "There is no customer with this id.");
    if (found.partnerId !== partnerId)
      throw new AppError("Partner.NotAuthorized", "This customer belongs to another partner.");
    const done = profile ? await leaveTombstone(deps, profile, cause) : (found as ErasedCustomer);
    return done && { done };
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
  { erasures, clock, logger, outbox }: Deps,
  profile: Profile,
  cause: ErasureCause,
): Promise<ErasedCustomer | null> {
  const at = isoTime(clock);
  const requestId = randomId();
  const origin = { requestId, correlationId: requestId, traceparent: null };
  const entries = outboxEntries([erasedFact(profile, at)], profile, origin, clock);
  const tombstone = tombstoneOf(profile, cause, at);
  if (!(await erasures.erase(profile, tombstone, entries))) return null;
  const { _id: customerId, partnerId } = profile;
  logger.info({ customerId, partnerId, requestId, ...cause }, "customer.erased");
  outbox.publish(entries);
  return tombstone.erased;
}

/** Every step may be done again. */
export async function finishErasure(
  { erasures, eraseDocuments, logger }: Deps,
  customerId: string,
  { isUnfinished }: Pick<ErasedCustomer, "isUnfinished">,
): Promise<void> {
  if (!isUnfinished) return;
  await eraseDocuments(customerId);
  await erasures.finish(customerId);
  logger.info({ customerId }, "customer.erasure_finished");
}
