/** The sweep of documents that are due: announces a change, finds a lost arrival, closes a link, removes files. */
import { type Lanes, LONG_ROUND_MS } from "../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../shared/poll-loop.ts";
import { announceDocument } from "./announce-document.ts";
import type { Deps } from "./deps.ts";
import { type DocumentRecord, foldersOf } from "./document.rules.ts";
import { mapBounded } from "./map-bounded.ts";
import { reconcileDocument } from "./reconcile-document.ts";
import { closesAt, nextLookAt, nextRemovalAt, restUntil } from "./schedule.rules.ts";

const BATCH = 100;
const AT_ONCE = 8;
/** Longer than any check of a file; afterwards another process takes the document of one that died. */
const LEASE_MS = 90_000;

export function createDocumentSweep(deps: Deps & { everyMs: number; lanes: Lanes }): PollLoop {
  const { repository, clock, logger, metrics, everyMs, lanes } = deps;
  return createPollLoop({
    lane: lanes.lane("document sweep", LONG_ROUND_MS),
    everyMs,
    async round(isStopping) {
      while (!isStopping() && (await sweepBatch(deps)) === BATCH);
      metrics.set("pbo_documents_due", await repository.countDue(new Date(clock.now())));
      metrics.set("pbo_documents_last_sweep_timestamp_seconds", clock.now() / 1_000);
    },
    onError: (err) => logger.warn({ err }, "documents.sweep_failed"),
  });
}

/** The documents due for the longest time; several processes may sweep concurrently. Returns their number. */
export async function sweepBatch(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const records = await deps.repository.claimDue(new Date(now), new Date(now + LEASE_MS), BATCH);
  await mapBounded(records, AT_ONCE, async (record) => {
    try {
      await sweepDocument(deps, record);
    } catch (err) {
      deps.logger.warn({ err, documentId: record._id, status: record.status }, "document.sweep_failed");
    }
  });
  return records.length;
}

export async function sweepDocument(deps: Deps, record: DocumentRecord): Promise<void> {
  if (record.announcePending) return announceDocument(deps, record);
  switch (record.status) {
    case "AwaitingUpload":
      return findArrival(deps, record);
    case "Confirmed":
    case "Missing":
      return recheck(deps, record);
    default:
      return removeFiles(deps, record);
  }
}

/** While the link is open another file may arrive, which is judged first; an erased customer gets no more files. */
async function removeFiles(deps: Deps, record: DocumentRecord): Promise<void> {
  const now = new Date(deps.clock.now());
  if (now < closesAt(record) && !record.erasedAt) await reconcileDocument(deps, placeOf(record));
  else for (const folder of foldersOf(record.objectKey)) await deps.storage.clear(folder);
  await deps.repository.postpone(record, nextRemovalAt(record, now));
}

async function findArrival(deps: Deps, due: DocumentRecord): Promise<void> {
  const record = await reconcileDocument(deps, placeOf(due));
  if (record?.status !== "AwaitingUpload") return;
  const now = new Date(deps.clock.now());
  if (now < closesAt(record)) {
    const leased = { ...record, dueAt: due.dueAt };
    return deps.repository.postpone(leased, nextLookAt(record, now, deps.looks));
  }
  const nextLink = await deps.repository.nextLinkAt(record, record.createdAt);
  await deps.repository.change(record, { status: nextLink ? "Superseded" : "Expired", dueAt: null });
}

async function recheck(deps: Deps, record: DocumentRecord): Promise<void> {
  const current = await reconcileDocument(deps, placeOf(record));
  if (current?.revision !== record.revision) return;
  const now = new Date(deps.clock.now());
  const tidy = { isTidy: await isTidy(deps, record, now) };
  await deps.repository.postpone(record, restUntil({ ...record, ...tidy }, now), tidy);
}

/** Once its link is closed only the confirmed copy is kept: neither the upload nor copies of interrupted checks. */
async function isTidy(deps: Deps, record: DocumentRecord, now: Date): Promise<boolean> {
  const { confirmedKey, objectKey } = record;
  if (record.isTidy || !confirmedKey) return true;
  if (now < closesAt(record)) return false;
  for (const folder of foldersOf(objectKey)) await deps.storage.clear(folder, confirmedKey);
  return true;
}

const placeOf = ({ _id: documentId, partnerId }: DocumentRecord) => ({ documentId, partnerId });
