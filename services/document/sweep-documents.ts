/** Works through the documents that are due, longest due first; safe to run in several processes at once. */
import { mapBounded } from "./map-bounded.ts";
import { type TendDeps, tendDocument } from "./tend-document.ts";

const BATCH = 100;
const AT_ONCE = 8;
/** Above the longest look at a file; a document whose holder died is taken by another after this. */
const LEASE_MS = 90_000;

/** Answers how many were taken: a full batch means that there is more. */
export async function sweepDocuments(deps: TendDeps): Promise<{ taken: number; more: boolean }> {
  const now = deps.clock.now();
  const records = await deps.repository.claimDue(new Date(now), new Date(now + LEASE_MS), BATCH);
  await mapBounded(records, AT_ONCE, async (record) => {
    try {
      await tendDocument(deps, record);
    } catch (err) {
      deps.logger.warn({ err, documentId: record._id, status: record.status }, "document.sweep_failed");
    }
  });
  return { taken: records.length, more: records.length === BATCH };
}
