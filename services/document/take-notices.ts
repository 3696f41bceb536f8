/** Storage's notifications by HTTP. Each makes its document due and is trusted no further: a forged one does no harm. */
import type { Clock } from "../../shared/clock.ts";
import { AppError, INVALID } from "../../shared/errors.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { noticesIn, subscriptionIn } from "./notice.rules.ts";

type Deps = {
  repository: Pick<DocumentRepository, "makeDue">;
  bucket: string;
  /** Starts the sweep. */
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
  const documents = await repository.makeDue(noticesIn(message, bucket), new Date(clock.now()));
  if (documents === 0) throw new AppError(INVALID, "The notice names no document of this installation.");
  wake();
  return { documents };
}
