/** Requests and answers of the auth-token service. */
import type { Role, Scope } from "../../identity/caller.ts";
import type { SessionFacts } from "../../identity/session-facts.ts";
import type { TrustState } from "../../identity/trust-state.ts";
import type { QuotaGrant, QuotaRequest } from "../../quota-leases.ts";
import { nothing } from "../answer-schema.ts";
import { auditValue } from "../answers/audit.ts";
import {
  type CredentialView,
  credentialListValue,
  credentialValue,
  type LoggedRequest,
  requestLogValue,
  sandboxValue,
  tokenFailuresValue,
} from "../answers/credential.ts";
import {
  endedSessionsValue,
  newSecondFactorValue,
  recoveryCodesValue,
  secondFactorValue,
  sessionListValue,
  sessionValue,
} from "../answers/session.ts";
import { acceptedValue, memberValue, newInvitationValue, teamValue } from "../answers/team.ts";
import { keySetValue, metadataValue, tokenValue } from "../answers/token.ts";
import { ANYONE, CHANGE, calledBy, commonActions, grouped, OWNER, routed, SEE, SIGNED_IN } from "./action.ts";
import { trailActions } from "./audit.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

export type PartnerView = {
  id: string;
  partnerId: string;
  name: string;
  clientId: string;
  active: boolean;
  onboardingApproved: boolean;
  scopes: Scope[];
  /** The live partner whose test twin this is; null for a live one. */
  testOf: string | null;
  createdAt: string;
};

export type UserView = {
  id: string;
  email: string;
  role: Role;
  partnerId: string | null;
  createdAt: string;
  /** Null while the person may sign in. */
  disabledAt: string | null;
  /** Only for an analyst, who may then release the claims of colleagues. */
  isLead: boolean;
};

/** Requests that a gateway collected, and for each partner the number of requests that it dropped. */
export type RequestBatch = {
  entries: readonly (LoggedRequest & { partnerId: string })[];
  dropped: readonly { partnerId: string; count: number }[];
};

/** Sent to the services that act for a partner on their own: webhooks, upload links. */
export type PartnerStanding = { partnerId: string; active: boolean; changedAt: string };

type Items<T> = { items: T[] };
type Login = { email: string; password: string };

const byGateway = calledBy("gateway");
const byAdmin = calledBy("admin");
const byProfile = calledBy("profile");

export const authTokenActions = {
  ...commonActions,
  auditLinks: trailActions.auditLinks,
  issueTokens: grouped(ANYONE, tokenValue),
  keySet: routed(ANYONE, keySetValue),
  metadata: routed(ANYONE, metadataValue),
  trustState: byGateway<object, TrustState>(),
  leaseQuota: byGateway<QuotaRequest, QuotaGrant>(),
  login: routed(ANYONE, sessionValue),
  /** In the sandbox: the partner of the session is its test twin. */
  checkSession: byGateway<
    { sessionId: string; inSandbox?: boolean; isBackground?: boolean },
    SessionFacts | null
  >(),
  describeSession: routed(SIGNED_IN, sessionValue),
  logout: routed(SIGNED_IN, nothing),
  changePassword: routed(SIGNED_IN, nothing),
  listSessions: routed(SIGNED_IN, sessionListValue),
  endOtherSessions: routed(SIGNED_IN, endedSessionsValue),
  endSession: routed(SIGNED_IN, nothing),
  describeSecondFactor: routed(SIGNED_IN, secondFactorValue),
  beginSecondFactor: routed(SIGNED_IN, newSecondFactorValue),
  confirmSecondFactor: routed(SIGNED_IN, recoveryCodesValue),
  removeSecondFactor: routed(SIGNED_IN, nothing),
  listCredentials: routed(SEE, credentialListValue),
  createCredential: routed(CHANGE, credentialValue),
  addCertificate: routed(CHANGE, credentialValue),
  removeCertificate: routed(CHANGE, credentialValue),
  revokeCredential: routed(CHANGE, credentialValue),
  recordRequests: byGateway<RequestBatch, null>(),
  listRequests: routed(SEE, requestLogValue),
  listTokenFailures: routed(SEE, tokenFailuresValue),
  listTeam: routed(OWNER, teamValue),
  invitePerson: routed(OWNER, newInvitationValue),
  withdrawInvitation: routed(OWNER, nothing),
  acceptInvitation: routed(ANYONE, acceptedValue),
  changeMemberRole: routed(OWNER, memberValue),
  disableMember: routed(OWNER, memberValue),
  enableMember: routed(OWNER, memberValue),
  endMemberSessions: routed(OWNER, memberValue),
  /** Newest first; query: cursor, pageSize, for an operator also partnerId. */
  listAudit: { ...routed(OWNER, auditValue), processes: ["gateway", "admin"] as const },
  describeSandbox: routed(SEE, sandboxValue),
  openSandbox: routed(OWNER, sandboxValue),
  createSandbox: byAdmin<{ partnerId: string }, PartnerView>(),
  createPartner: byAdmin<{ name: string; approved?: boolean }, PartnerView>(),
  listPartners: byAdmin<object, Items<PartnerView>>(),
  setPartnerActive: byAdmin<{ partnerId: string; active: boolean }, PartnerView>(),
  approvePartner: byAdmin<{ partnerId: string }, PartnerView>(),
  /** Replaces the scopes that the partner's API client may request. */
  setClientScopes: byAdmin<{ partnerId: string; scopes: readonly string[] }, PartnerView>(),
  createUser: byAdmin<Login & { partnerId: string; role: string }, UserView>(),
  /** The people of one partner, or all. */
  listUsers: byAdmin<{ partnerId?: string; everybody?: true }, Items<UserView>>(),
  resetPassword: byAdmin<Login, UserView>(),
  resetSecondFactor: byAdmin<{ email: string }, UserView>(),
  setUserDisabled: byAdmin<{ email: string; disabled: boolean }, UserView>(),
  changeUserRole: byAdmin<{ email: string; role: string }, UserView>(),
  endUserSessions: byAdmin<{ email: string }, UserView>(),
  createAnalyst: byAdmin<Login, UserView>(),
  setAnalystLead: byAdmin<{ email: string; lead: boolean }, UserView>(),
  /** Names by partner id; an id without a partner is left out. */
  partnerNames: byProfile<{ partnerIds: readonly string[] }, { names: Record<string, string> }>(),
  rotateSigningKey: byAdmin<{ immediately?: boolean }, { id: string; kid: string; signsFrom: string }>(),
  sweepFieldKeys: byAdmin<KeySweepRequest, KeySweep>(),
  registerCertificate: byAdmin<{ partnerId: string; certificate: string }, CredentialView>(),
};
