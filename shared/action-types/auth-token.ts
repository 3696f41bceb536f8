/** Requests and answers of the auth-token service. */
import type { SessionFacts } from "../identity/session-facts.ts";
import type { TrustState } from "../identity/trust-state.ts";
import type { QuotaGrant, QuotaRequest } from "../quota-leases.ts";
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";

export type AuthTokenActions = CommonActions & {
  issueTokens: Grouped;
  keySet: Routed<unknown>;
  metadata: Routed<unknown>;
  trustState: Called<object, TrustState>;
  leaseQuota: Called<QuotaRequest, QuotaGrant>;
  login: Routed<unknown>;
  checkSession: Called<{ sessionId: string }, SessionFacts | null>;
  describeSession: Routed<unknown>;
  logout: Routed<null>;
  listCredentials: Routed<unknown>;
  createCredential: Routed<unknown>;
  addCertificate: Routed<unknown>;
  removeCertificate: Routed<unknown>;
  revokeCredential: Routed<unknown>;
  listTokenFailures: Routed<unknown>;
  createPartner: Called<object, unknown>;
  listPartners: Called<object, unknown>;
  setPartnerActive: Called<object, unknown>;
  approvePartner: Called<object, unknown>;
  createUser: Called<object, unknown>;
  listUsers: Called<object, unknown>;
  resetPassword: Called<object, unknown>;
  createAnalyst: Called<object, unknown>;
  rotateSigningKey: Called<object, unknown>;
  registerCertificate: Called<object, unknown>;
};
