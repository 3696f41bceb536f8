/** Storage's notifications by HTTP. A notification only makes its document due, so a forged one does no harm. */
import { AppError, INVALID } from "../../shared/errors.ts";
import type { Deps } from "./deps.ts";
import { notificationsIn, subscriptionIn } from "./notification.rules.ts";

export async function receiveNotifications(
  { repository, bucket, clock, logger }: Deps,
  message: unknown,
  wakeSweep: () => void,
): Promise<{ documents: number }> {
  const subscribeUrl = subscriptionIn(message);
  if (subscribeUrl !== null) {
    // The operator opens it: this process calls no address that a message names.
    logger.warn({ subscribeUrl }, "notices.subscription_to_confirm");
    return { documents: 0 };
  }
  const documents = await repository.makeDue(notificationsIn(message, bucket), new Date(clock.now()));
  if (documents === 0)
    throw new AppError(INVALID, "The notification names no document of this installation.");
  wakeSweep();
  return { documents };
}
