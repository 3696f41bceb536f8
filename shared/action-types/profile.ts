/** Requests and answers of the profile service. */
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";
import type { DocumentSummary } from "./document.ts";

export type ProfileActions = CommonActions & {
  create: Grouped;
  replace: Routed<unknown>;
  patch: Routed<unknown>;
  list: Routed<unknown>;
  get: Routed<unknown>;
  getByReference: Routed<unknown>;
  verificationStatus: Routed<unknown>;
  identityRequirements: Routed<unknown>;
  businessTypes: Routed<unknown>;
  listCases: Routed<unknown>;
  getCase: Routed<unknown>;
  claimCase: Routed<unknown>;
  releaseCase: Routed<unknown>;
  requestChanges: Routed<unknown>;
  approveCase: Routed<unknown>;
  rejectCase: Routed<unknown>;
  listConfigs: Routed<unknown>;
  changeConfig: Routed<unknown>;
  customerForUpload: Called<{ customerId: string; partnerId: string; uboId: string | null }, unknown>;
  recordDocument: Called<
    { customerId: string; document: DocumentSummary },
    { recorded: boolean; version: number }
  >;
  confirmEvents: Called<{ eventIds: readonly string[] }, { changed: number }>;
  listCountryConfigs: Called<object, unknown>;
  changeCountryConfig: Called<object, unknown>;
};
