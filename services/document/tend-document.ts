/** Does what is due for one document: announce a change, look for a lost arrival, close a link, remove a file. */

import { announceDocument } from "./announce-document.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { type DocumentRecord, foldersOf } from "./document.rules.ts";
import { type ReconcileDeps, reconcileDocument } from "./reconcile-document.ts";
import { closesAt, type Looks, nextLookAt, nextRemovalAt, restUntil } from "./schedule.rules.ts";
import type { Storage } from "./storage/storage.ts";

export type TendDeps = ReconcileDeps & {
  repository: DocumentRepository;
  storage: Pick<Storage, "clear">;
  /** How old a link is when its file is first looked for. */
  looks: Looks;
};

export async function tendDocument(deps: TendDeps, record: DocumentRecord): Promise<void> {
  if (record.announcePending) return announceDocument(deps, record);
  switch (record.status) {
    case "AwaitingUpload":
      return lookForArrival(deps, record);
    case "Confirmed":
    case "Missing":
      return lookAgain(deps, record);
    default:
      return removeFiles(deps, record);
  }
}

async function removeFiles(deps: TendDeps, record: DocumentRecord): Promise<void> {
  const now = new Date(deps.clock.now());
  // While the link is open another file may come, so whatever is there is looked at first; of an erased customer none may.
  if (now < closesAt(record) && !record.erasedAt) await reconcileDocument(deps, placeOf(record));
  else for (const folder of foldersOf(record.objectKey)) await deps.storage.clear(folder);
  await deps.repository.postpone(record, nextRemovalAt(record, now));
}

async function lookForArrival(deps: TendDeps, due: DocumentRecord): Promise<void> {
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

async function lookAgain(deps: TendDeps, record: DocumentRecord): Promise<void> {
  const current = await reconcileDocument(deps, placeOf(record));
  if (current?.revision !== record.revision) return;
  const now = new Date(deps.clock.now());
  const tidy = { isTidy: await isTidy(deps, record, now) };
  await deps.repository.postpone(record, restUntil({ ...record, ...tidy }, now), tidy);
}

/** Once its link is closed, only the confirmed copy is kept: not the upload, not copies of looks that were broken off. */
async function isTidy(deps: TendDeps, record: DocumentRecord, now: Date): Promise<boolean> {
  const { confirmedKey, objectKey } = record;
  if (record.isTidy || !confirmedKey) return true;
  if (now < closesAt(record)) return false;
  for (const folder of foldersOf(objectKey)) await deps.storage.clear(folder, confirmedKey);
  return true;
}

const placeOf = ({ _id: documentId, partnerId }: DocumentRecord) => ({ documentId, partnerId });
