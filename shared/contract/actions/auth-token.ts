/** Requests and answers of the auth-token service. */
import type { Role, Scope } from "../../identity/caller.ts";
import type { SessionFacts } from "../../identity/session-facts.ts";
import type { TrustState } from "../../identity/trust-state.ts";
import type { QuotaGrant, QuotaRequest } from "../../quota-leases.ts";
import type { nothing } from "../answer-schema.ts";
import type { auditValue } from "../answers/audit.ts";
import type {
  CredentialView,
  credentialListValue,
  credentialValue,
  tokenFailuresValue,
} from "../answers/credential.ts";
import type { LoggedRequest, requestLogValue } from "../answers/request-log.ts";
import type { sandboxValue } from "../answers/sandbox.ts";
import type {
  endedSessionsValue,
  newSecondFactorValue,
  recoveryCodesValue,
  secondFactorValue,
  sessionListValue,
  sessionValue,
} from "../answers/session.ts";
import type { acceptedValue, memberValue, newInvitationValue, teamValue } from "../answers/team.ts";
import type { keySetValue, metadataValue } from "../answers/token.ts";
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";
import type { TrailActions } from "./audit.ts";
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

export type AuthTokenActions = CommonActions &
  Pick<TrailActions, "auditLinks"> & {
    issueTokens: Grouped;
    keySet: Routed<typeof keySetValue>;
    metadata: Routed<typeof metadataValue>;
    trustState: Called<object, TrustState>;
    leaseQuota: Called<QuotaRequest, QuotaGrant>;
    login: Routed<typeof sessionValue>;
    /** In the sandbox: the partner of the session is its test twin. */
    checkSession: Called<
      { sessionId: string; inSandbox?: boolean; isBackground?: boolean },
      SessionFacts | null
    >;
    describeSession: Routed<typeof sessionValue>;
    logout: Routed<typeof nothing>;
    changePassword: Routed<typeof nothing>;
    listSessions: Routed<typeof sessionListValue>;
    endOtherSessions: Routed<typeof endedSessionsValue>;
    endSession: Routed<typeof nothing>;
    describeSecondFactor: Routed<typeof secondFactorValue>;
    beginSecondFactor: Routed<typeof newSecondFactorValue>;
    confirmSecondFactor: Routed<typeof recoveryCodesValue>;
    removeSecondFactor: Routed<typeof nothing>;
    listCredentials: Routed<typeof credentialListValue>;
    createCredential: Routed<typeof credentialValue>;
    addCertificate: Routed<typeof credentialValue>;
    removeCertificate: Routed<typeof credentialValue>;
    revokeCredential: Routed<typeof credentialValue>;
    recordRequests: Called<RequestBatch, null>;
    listRequests: Routed<typeof requestLogValue>;
    listTokenFailures: Routed<typeof tokenFailuresValue>;
    listTeam: Routed<typeof teamValue>;
    invitePerson: Routed<typeof newInvitationValue>;
    withdrawInvitation: Routed<typeof nothing>;
    acceptInvitation: Routed<typeof acceptedValue>;
    changeMemberRole: Routed<typeof memberValue>;
    disableMember: Routed<typeof memberValue>;
    enableMember: Routed<typeof memberValue>;
    endMemberSessions: Routed<typeof memberValue>;
    /** Newest first; query: cursor, pageSize, for an operator also partnerId. */
    listAudit: Routed<typeof auditValue>;
    describeSandbox: Routed<typeof sandboxValue>;
    openSandbox: Routed<typeof sandboxValue>;
    createSandbox: Called<{ partnerId: string }, PartnerView>;
    createPartner: Called<{ name: string; approved?: boolean }, PartnerView>;
    listPartners: Called<object, Items<PartnerView>>;
    setPartnerActive: Called<{ partnerId: string; active: boolean }, PartnerView>;
    approvePartner: Called<{ partnerId: string }, PartnerView>;
    /** Replaces the scopes that the partner's API client may request. */
    setClientScopes: Called<{ partnerId: string; scopes: readonly string[] }, PartnerView>;
    createUser: Called<Login & { partnerId: string; role: string }, UserView>;
    /** The people of one partner, or all. */
    listUsers: Called<{ partnerId?: string; everybody?: true }, Items<UserView>>;
    resetPassword: Called<Login, UserView>;
    resetSecondFactor: Called<{ email: string }, UserView>;
    setUserDisabled: Called<{ email: string; disabled: boolean }, UserView>;
    changeUserRole: Called<{ email: string; role: string }, UserView>;
    endUserSessions: Called<{ email: string }, UserView>;
    createAnalyst: Called<Login, UserView>;
    setAnalystLead: Called<{ email: string; lead: boolean }, UserView>;
    /** Names by partner id; an id without a partner is left out. */
    partnerNames: Called<{ partnerIds: readonly string[] }, { names: Record<string, string> }>;
    rotateSigningKey: Called<{ immediately?: boolean }, { id: string; kid: string; signsFrom: string }>;
    sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
    registerCertificate: Called<{ partnerId: string; certificate: string }, CredentialView>;
  };
