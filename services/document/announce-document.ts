/** Reports the state of a document to the profile service. A second report does no harm. */
import { errorCode } from "../../shared/errors.ts";
import type { Deps } from "./deps.ts";
import type { DocumentRecord } from "./document.rules.ts";
import { nextAnnouncementAt, restUntil } from "./schedule.rules.ts";

/** Does not fail when the profile service does: the document stays marked, and the sweep tries again. */
export async function announceDocument(deps: Deps, record: DocumentRecord): Promise<void> {
  const { repository, clock, logger } = deps;
  const ids = { documentId: record._id, customerId: record.customerId, status: record.status };
  try {
    await deps.recordInProfile(record);
  } catch (err) {
    if (errorCode(err) === "Customer.Erased") {
      // Its link was made while the customer was being erased.
      logger.info(ids, "document.customer_erased");
      return void (await repository.eraseOfCustomer(record.customerId, new Date(clock.now())));
    }
    if (errorCode(err) !== "Customer.NotFound") {
      logger.warn({ err, ...ids }, "document.announcement_failed");
      return repository.postpone(record, nextAnnouncementAt(record, new Date(clock.now())));
    }
    logger.error({ err, ...ids }, "document.customer_unknown");
  }
  await repository.markAnnounced(record, restUntil(record, new Date(clock.now())));
}
