/** Requests and answers of the document service. */
import type { DocumentSummary, ViewLink } from "../answers/document.ts";
import type { Called, CommonActions, Grouped } from "./action.ts";
import type { PartnerStanding } from "./auth-token.ts";

/** The partner id leads to the shard. */
export type ConfirmRequest = {
  customerId: string;
  partnerId: string;
  documentIds: readonly string[];
  /** Simulated entries of the list, which the document service skips: they have no files. */
  simulatedIds?: readonly string[];
};

export type DocumentActions = CommonActions & {
  createUploadLink: Grouped;
  /** A notification of storage by HTTP; answers the number of documents that are checked. */
  takeNotices: Called<{ message: unknown }, { documents: number }>;
  /** All of them or none. */
  confirmForCustomer: Called<ConfirmRequest, DocumentSummary[]>;
  /** For a confirmed file of this customer; the caller has checked the permission. */
  signViewLink: Called<{ customerId: string; documentId: string }, ViewLink>;
  /** Its files are removed soon after. */
  eraseForCustomer: Called<{ customerId: string }, { documents: number }>;
  setPartnerStanding: Called<PartnerStanding, null>;
};
