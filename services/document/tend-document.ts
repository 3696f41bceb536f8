/** Does what is due for one document: announce a change, look for a lost arrival, close a link, remove a file. */

import { announceDocument } from "./announce-document.ts";
import type { DocumentRepository } from "./document.repository.ts";
import type { DocumentRecord } from "./document.rules.ts";
import { type ReconcileDeps, reconcileDocument } from "./reconcile-document.ts";
import { closesAt, nextLookAt, restUntil } from "./schedule.rules.ts";
import type { Storage } from "./storage.ts";

export type TendDeps = ReconcileDeps & {
  repository: DocumentRepository;
  storage: Pick<Storage, "describe" | "read" | "remove">;
  /** How old a link is when its file is first looked for. */
  firstLookMs: number;
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
      await deps.storage.remove(record.objectKey);
      return deps.repository.postpone(record, null);
  }
}

async function lookForArrival(deps: TendDeps, { _id }: DocumentRecord): Promise<void> {
  const record = await reconcileDocument(deps, _id);
  if (record?.status !== "AwaitingUpload") return;
  const now = new Date(deps.clock.now());
  if (now < closesAt(record))
    return deps.repository.postpone(record, nextLookAt(record, now, deps.firstLookMs));
  const nextLink = await deps.repository.nextLinkAt(record, record.createdAt);
  await deps.repository.change(record, { status: nextLink ? "Superseded" : "Expired", dueAt: null });
}

async function lookAgain(deps: TendDeps, record: DocumentRecord): Promise<void> {
  const current = await reconcileDocument(deps, record._id);
  if (current?.revision === record.revision)
    await deps.repository.postpone(record, restUntil(record, new Date(deps.clock.now())));
}
