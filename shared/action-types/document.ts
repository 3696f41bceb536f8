/** Requests and answers of the document service. */
import type { Called, CommonActions, Routed } from "./action.ts";

/** A document as the profile keeps it and reads show it. */
export type DocumentSummary = {
  documentId: string;
  documentCategory: string;
  contentType: string;
  sizeBytes: number | null;
  uboId: string | null;
  status: string;
  reason: string | null;
  uploadedAt: string | null;
  confirmedAt: string | null;
};

export type DocumentActions = CommonActions & {
  createUploadLink: Routed<unknown>;
  confirmForCustomer: Called<{ customerId: string; documentIds: readonly string[] }, DocumentSummary[]>;
};
