/**
 * Storage's notices by HTTP. Each makes the sweep look at its document now; nothing else that it says is believed, so a
 * repeated or forged one does no harm.
 */
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { noticesIn, subscriptionIn } from "./notice.rules.ts";

type Deps = {
  repository: Pick<DocumentRepository, "lookNow">;
  bucket: string;
  /** Has the sweep begin at once. */
  wake(): void;
  clock: Clock;
  logger: Logger;
};

export async function takeNotices(
  { repository, bucket, wake, clock, logger }: Deps,
  message: unknown,
): Promise<{ documents: number }> {
  const subscribeUrl = subscriptionIn(message);
  if (subscribeUrl !== null) {
    // The operator opens it: this process calls no address that a message names.
    logger.warn({ subscribeUrl }, "notices.subscription_to_confirm");
    return { documents: 0 };
  }
  const documents = await repository.lookNow(noticesIn(message, bucket), new Date(clock.now()));
  if (documents === 0)
    throw new AppError("ValidationControl.Error", "The notice names no document of this installation.");
  wake();
  return { documents };
}
