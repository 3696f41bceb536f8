/** Signs a link to exactly the file that was confirmed. */

import type { Clock } from "../../shared/clock.ts";
import type { ViewLink } from "../../shared/contract/answers/document.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { fileKey } from "./document.rules.ts";
import type { Storage } from "./storage/storage.ts";
import {
  dispositionOf,
  fileIsLost,
  fileNameOf,
  noSuchDocument,
  VIEW_SECONDS,
  viewEndsAt,
  viewRefusal,
} from "./view.rules.ts";

type Deps = {
  repository: Pick<DocumentRepository, "find">;
  storage: Pick<Storage, "describe" | "signView">;
  clock: Clock;
};

export async function signViewLink(
  { repository, storage, clock }: Deps,
  { customerId, documentId }: { customerId: string; documentId: string },
): Promise<ViewLink> {
  const record = await repository.find(String(documentId));
  if (!record || record.customerId !== customerId) throw noSuchDocument();
  const refusal = viewRefusal(record);
  if (refusal) throw refusal;
  const key = fileKey(record);
  // A link cannot require an ETag: in a bucket without versions only this check finds another file.
  const file = await storage.describe(key, record.versionId ?? undefined);
  if (file?.etag !== record.etag) throw fileIsLost();
  const { contentType } = record;
  const [disposition, fileName] = [dispositionOf(contentType), fileNameOf(record)];
  const signedAt = new Date(clock.now());
  const url = await storage.signView(key, {
    versionId: record.versionId,
    contentType,
    disposition: `${disposition}; filename="${fileName}"`,
    signedAt,
    seconds: VIEW_SECONDS,
  });
  return { url, contentType, disposition, fileName, expiresAt: viewEndsAt(signedAt).toISOString() };
}
