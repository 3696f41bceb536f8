/** Requests and answers of the document service. */
import { type DocumentSummary, uploadLinkValue, type ViewLink } from "../answers/document.ts";
import { calledBy, commonActions, grouped, WRITE } from "./action.ts";
import type { PartnerStanding } from "./auth-token.ts";

/** The partner id leads to the shard. */
export type ConfirmRequest = {
  customerId: string;
  partnerId: string;
  documentIds: readonly string[];
  /** Simulated entries of the list, which the document service skips: they have no files. */
  simulatedIds?: readonly string[];
};

const byGateway = calledBy("gateway");
const byProfile = calledBy("profile");
const byAuthToken = calledBy("auth-token");

export const documentActions = {
  ...commonActions,
  createUploadLink: grouped(WRITE, uploadLinkValue),
  /** A notification of storage by HTTP; answers the number of documents that are checked. */
  takeNotices: byGateway<{ message: unknown }, { documents: number }>(),
  /** All of them or none. */
  confirmForCustomer: byProfile<ConfirmRequest, DocumentSummary[]>(),
  /** For a confirmed file of this customer; the caller has checked the permission. */
  signViewLink: byProfile<{ customerId: string; documentId: string }, ViewLink>(),
  /** Its files are removed soon after. */
  eraseForCustomer: byProfile<{ customerId: string }, { documents: number }>(),
  setPartnerStanding: byAuthToken<PartnerStanding, null>(),
};
