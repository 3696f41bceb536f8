/** Requests and answers of the document service. */
import type {
  ContentType,
  DocumentCategory,
  DocumentStatus,
  MissingReason,
  RejectionReason,
} from "../document-vocabulary.ts";
import type { Called, CommonActions, Grouped } from "./action.ts";
import type { PartnerStanding } from "./auth-token.ts";

/** A document as the profile keeps it and reads show it. */
export type DocumentSummary = {
  documentId: string;
  documentCategory: DocumentCategory;
  contentType: ContentType;
  sizeBytes: number | null;
  uboId: string | null;
  status: DocumentStatus;
  reason: RejectionReason | MissingReason | null;
  uploadedAt: string | null;
  confirmedAt: string | null;
};

/** What the upload must send; storage refuses it otherwise. */
export type UploadHeaders = {
  "Content-Type": string;
  "Content-Length"?: string;
  "x-amz-checksum-sha256"?: string;
};

export type UploadLink = {
  documentId: string;
  uploadUrl: string;
  method: "PUT";
  headers: UploadHeaders;
  expiresAt: string;
  expiresInSeconds: number;
  maxSizeBytes: number;
  documentCategory: DocumentCategory;
  contentType: ContentType;
  uboId: string | null;
};

/** To look at a confirmed file, for a minute. */
export type ViewLink = {
  url: string;
  contentType: ContentType;
  disposition: "inline" | "attachment";
  fileName: string;
  expiresAt: string;
};

/** The partner leads to the shard; a release before this was so named none. */
export type ConfirmRequest = {
  customerId: string;
  partnerId?: string;
  documentIds: readonly string[];
  /** In the list, but only simulated: the document service has no such files and passes them over. */
  simulatedIds?: readonly string[];
};

export type DocumentActions = CommonActions & {
  createUploadLink: Grouped;
  /** What storage told by HTTP; answers how many documents are looked at. */
  takeNotices: Called<{ message: unknown }, { documents: number }>;
  /** All of them or none. */
  confirmForCustomer: Called<ConfirmRequest, DocumentSummary[]>;
  /** Of a confirmed file of this customer; who may look at it, the caller has checked. */
  signViewLink: Called<{ customerId: string; documentId: string }, ViewLink>;
  /** Its files are removed soon after. */
  eraseForCustomer: Called<{ customerId: string }, { documents: number }>;
  setPartnerStanding: Called<PartnerStanding, null>;
};
