/** The collection of documents: one record a link, with what became of it. */
import { type Connection, type Model, Schema } from "mongoose";
import type { DocumentRecord } from "./document.rules.ts";

/** Queries must repeat this condition, or the server does not use the partial index. */
export const NO_TIME = new Date(0);

const text = { type: String, required: true } as const;
const textOrNull = { type: String, default: null } as const;
const time = { type: Date, required: true } as const;
const timeOrNull = { type: Date, default: null } as const;

const documentSchema = new Schema<DocumentRecord>(
  {
    _id: text,
    partnerId: text,
    customerId: text,
    uboId: textOrNull,
    documentCategory: text,
    contentType: text,
    objectKey: text,
    wantedSizeBytes: { type: Number, default: null },
    wantedSha256: textOrNull,
    status: text,
    reason: textOrNull,
    sizeBytes: { type: Number, default: null },
    sha256: textOrNull,
    etag: textOrNull,
    versionId: textOrNull,
    uploadedAt: timeOrNull,
    confirmedAt: timeOrNull,
    confirmedKey: textOrNull,
    isTidy: { type: Boolean, default: false },
    overwrittenAt: timeOrNull,
    erasedAt: Date,
    createdAt: time,
    expiresAt: time,
    revision: { type: Number, required: true },
    announcePending: { type: Boolean, required: true },
    dueAt: timeOrNull,
    requestId: text,
    traceparent: text,
  },
  { collection: "documents", versionKey: false, strict: "throw" },
);

/** The links of a slot in the order they were made. */
export const SLOT_INDEX = { customerId: 1, uboId: 1, documentCategory: 1, createdAt: 1 } as const;
documentSchema.index(SLOT_INDEX);
// The sweep's work; a document with nothing left to do has no entry.
documentSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $gt: NO_TIME } } });

export const documentModel = (connection: Connection): Model<DocumentRecord> =>
  connection.model<DocumentRecord>("Document", documentSchema);
