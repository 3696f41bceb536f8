/** Erases the documents of a customer: one write marks them, the sweep then removes the files; twice does no harm. */
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { DocumentRepository } from "./document.repository.ts";

type EraseDeps = {
  repository: Pick<DocumentRepository, "eraseOfCustomer">;
  clock: Clock;
  logger: Logger;
  /** Has the sweep look now. */
  wake(): void;
};

export async function eraseForCustomer(
  { repository, clock, logger, wake }: EraseDeps,
  customerId: string,
): Promise<{ documents: number }> {
  const documents = await repository.eraseOfCustomer(customerId, new Date(clock.now()));
  logger.info({ customerId, documents }, "documents.erased");
  wake();
  return { documents };
}
