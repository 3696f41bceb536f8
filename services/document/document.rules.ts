/** A document: its record, its key in storage and its public form. */
import type { DocumentSummary } from "../../shared/contract/answers/document.ts";
import {
  type ContentType,
  type DocumentCategory,
  type DocumentStatus,
  type MissingReason,
  PERSON_DOCUMENT_CATEGORIES,
  type RejectionReason,
} from "../../shared/contract/vocabularies.ts";
import { isUuid } from "../../shared/ids.ts";

const EXTENSIONS: Readonly<Record<ContentType, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
};

export type Slot = Owner & { uboId: string | null; documentCategory: DocumentCategory };

/** Behind mongos the partner leads to the shard. */
export type Owner = { partnerId: string; customerId: string };

/** A link and what became of it. */
export type DocumentRecord = Slot & {
  /** The document id. */
  _id: string;
  contentType: ContentType;
  objectKey: string;
  /** Size and checksum of the one file that the link is for, when its caller named them. */
  wantedSizeBytes: number | null;
  wantedSha256: string | null;
  status: DocumentStatus;
  reason: RejectionReason | MissingReason | null;
  sizeBytes: number | null;
  sha256: string | null;
  etag: string | null;
  /** Null in a bucket without versions. */
  versionId: string | null;
  uploadedAt: Date | null;
  confirmedAt: Date | null;
  /** Where the confirmed file is: a copy that no link leads to. */
  confirmedKey: string | null;
  /** True once only the confirmed file remains of the upload. */
  isTidy: boolean;
  /** When another file was put over the confirmed one, which a bucket with versions still has. */
  overwrittenAt: Date | null;
  /** Only when its customer was erased. */
  erasedAt?: Date;
  createdAt: Date;
  expiresAt: Date;
  /** Rises with each change of the fields above; changes are made against the one that was read. */
  revision: number;
  /** True until the profile service knows of the last change. */
  announcePending: boolean;
  /** The next time that the sweep checks it; null when no work remains. */
  dueAt: Date | null;
  requestId: string;
  traceparent: string;
};

export const NO_FILE = {
  reason: null,
  sizeBytes: null,
  sha256: null,
  etag: null,
  versionId: null,
  confirmedKey: null,
} as const satisfies Partial<DocumentRecord>;

export const isPersonCategory = (category: DocumentCategory): boolean =>
  (PERSON_DOCUMENT_CATEGORIES as readonly string[]).includes(category);

type KeyParts = Slot & { documentId: string; contentType: ContentType };

/** Old versions below it go within a day by a lifecycle rule. No copy is here: its key begins with the partner's id. */
const UPLOADS = "uploads/";

/** Ids only, never a file name: a caller can choose no part of it. */
export const objectKey = (parts: KeyParts): string =>
  UPLOADS +
  [
    parts.partnerId,
    parts.customerId,
    parts.uboId ?? "business",
    parts.documentId,
    `${parts.documentCategory}.${EXTENSIONS[parts.contentType]}`,
  ].join("/");

/** The key without the prefix of uploads. */
const pathOf = (key: string): string => (key.startsWith(UPLOADS) ? key.slice(UPLOADS.length) : key);

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);

/** The folders of a document: of the upload, and of its copies. */
export const foldersOf = (uploadKey: string): string[] => [folderOf(uploadKey), folderOf(pathOf(uploadKey))];

/** The key of a copy of an upload. Its name is chosen here, so no link can write it. */
export const copyKey = (uploadKey: string, copyId: string): string =>
  `${folderOf(pathOf(uploadKey))}${copyId}${uploadKey.slice(uploadKey.lastIndexOf("."))}`;

/** The confirmed copy, or the upload before there is one. */
export const fileKey = ({ confirmedKey, objectKey: uploadKey }: DocumentRecord): string =>
  confirmedKey ?? uploadKey;

/** The document an object would belong to; whether it does, its record says. */
export function documentIdOf(key: string): string | null {
  const [, , , documentId, file, ...rest] = pathOf(key).split("/");
  return isUuid(documentId) && file && rest.length === 0 ? documentId : null;
}

/** The partner that an object would belong to. */
export const partnerIdOf = (key: string): string => pathOf(key).replace(/\/.*$/s, "");

/** Summary that the profile service stores and reads show. */
export const summaryOf = (record: DocumentRecord): DocumentSummary => ({
  documentId: record._id,
  documentCategory: record.documentCategory,
  contentType: record.contentType,
  sizeBytes: record.sizeBytes,
  uboId: record.uboId,
  status: record.status,
  reason: record.reason,
  uploadedAt: record.uploadedAt?.toISOString() ?? null,
  confirmedAt: record.confirmedAt?.toISOString() ?? null,
});
