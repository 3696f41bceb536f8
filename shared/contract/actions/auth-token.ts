/** Requests and answers of the auth-token service. */
import type { Role, Scope } from "../../identity/caller.ts";
import type { SessionFacts } from "../../identity/session-facts.ts";
import type { TrustState } from "../../identity/trust-state.ts";
import type { QuotaGrant, QuotaRequest } from "../../quota-leases.ts";
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";
import type { AuditEntry, AuditLinks, AuditLinksQuery } from "./audit.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

/** A public key of the key set (RFC 7517, RFC 8037). */
export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string; kid: string; alg: "EdDSA"; use: "sig" };

/** Authorization server metadata (RFC 8414). */
export type ServerMetadata = {
  issuer: string;
  token_endpoint: string;
  jwks_uri: string;
  grant_types_supported: readonly string[];
  response_types_supported: readonly string[];
  token_endpoint_auth_methods_supported: readonly string[];
  token_endpoint_auth_signing_alg_values_supported: readonly string[];
  scopes_supported: readonly Scope[];
  service_documentation: string;
};

/** A session as the person signed in sees it. */
export type SessionView = {
  user: { email: string; role: Role; isLead: boolean };
  partner: { partnerId: string; name: string } | null;
  expiresAt: string;
};

type SecondFactorView = {
  enabled: boolean;
  required: boolean;
  since: string | null;
  recoveryCodesLeft: number;
};

export type CredentialStatus = "Active" | "Revoked";

/** An API client as the dashboard shows it. */
export type CredentialView = {
  id: string;
  clientId: string;
  status: CredentialStatus;
  createdAt: string;
  revokedAt: string | null;
  certificates: { thumbprint: string; subject: string; notBefore: string; notAfter: string }[];
};

export type TokenFailureView = { at: string; reason: string; message: string; requestId: string };

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

/** The test twin, as an Owner sees it. */
export type SandboxView = Pick<PartnerView, "partnerId" | "name" | "clientId" | "active" | "createdAt">;

export type UserView = {
  id: string;
  email: string;
  role: Role;
  partnerId: string | null;
  createdAt: string;
  /** Null while the person may sign in. */
  disabledAt: string | null;
  /** Of an analyst who may release the claims of colleagues. */
  isLead: boolean;
};

/** A colleague, as an Owner sees one. */
export type TeamMember = Pick<UserView, "email" | "role" | "createdAt" | "disabledAt"> & { userId: string };

/** Not yet accepted. */
export type InvitationView = Pick<UserView, "email" | "role" | "createdAt"> & {
  invitationId: string;
  invitedBy: string;
  expiresAt: string;
};

/** A session as its person sees it among the others. */
export type OwnSession = {
  sessionId: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  isCurrent: boolean;
};

/** A request of a partner's API client as the log keeps it: nothing of its body, and no value of a field. */
export type LoggedRequest = {
  /** UUID version 7: the id is the order. */
  id: string;
  at: string;
  method: string;
  /** As the API document has it, without ids. */
  route: string;
  status: number;
  code: string | null;
  /** Names of the fields at fault. */
  fields: readonly string[];
  requestId: string;
  durationMs: number;
};

/** What a gateway has gathered, with how many of each partner it could not keep. */
export type RequestBatch = {
  entries: readonly (LoggedRequest & { partnerId: string })[];
  dropped: readonly { partnerId: string; count: number }[];
};

/** What services that act for a partner without being asked are told: webhooks, upload links. */
export type PartnerStanding = { partnerId: string; active: boolean; changedAt: string };

type Items<T> = { items: T[] };
type Login = { email: string; password: string };

export type AuthTokenActions = CommonActions & {
  issueTokens: Grouped;
  keySet: Routed<{ keys: PublicJwk[] }>;
  metadata: Routed<ServerMetadata>;
  trustState: Called<object, TrustState>;
  leaseQuota: Called<QuotaRequest, QuotaGrant>;
  login: Routed<SessionView>;
  /** In the sandbox: the partner of the session is its test twin. */
  checkSession: Called<
    { sessionId: string; inSandbox?: boolean; isBackground?: boolean },
    SessionFacts | null
  >;
  describeSession: Routed<SessionView>;
  logout: Routed<null>;
  changePassword: Routed<null>;
  listSessions: Routed<Items<OwnSession>>;
  endOtherSessions: Routed<{ ended: number }>;
  endSession: Routed<null>;
  describeSecondFactor: Routed<SecondFactorView>;
  /** The secret, for people and as an otpauth: URI. */
  beginSecondFactor: Routed<{ secret: string; uri: string }>;
  confirmSecondFactor: Routed<{ recoveryCodes: string[] }>;
  removeSecondFactor: Routed<null>;
  listCredentials: Routed<Items<CredentialView>>;
  createCredential: Routed<CredentialView>;
  addCertificate: Routed<CredentialView>;
  removeCertificate: Routed<CredentialView>;
  revokeCredential: Routed<CredentialView>;
  recordRequests: Called<RequestBatch, null>;
  /** Newest first, of the last seven days. */
  listRequests: Routed<Items<LoggedRequest> & { nextCursor: string | null; dropped: number }>;
  listTokenFailures: Routed<Items<TokenFailureView>>;
  listTeam: Routed<Items<TeamMember> & { invitations: InvitationView[] }>;
  /** The link is told only here. */
  invitePerson: Routed<InvitationView & { link: string }>;
  withdrawInvitation: Routed<null>;
  acceptInvitation: Routed<{ email: string }>;
  changeMemberRole: Routed<TeamMember>;
  disableMember: Routed<TeamMember>;
  enableMember: Routed<TeamMember>;
  endMemberSessions: Routed<TeamMember>;
  /** Newest first; query: cursor, pageSize, for an operator also partnerId. */
  listAudit: Routed<{ items: AuditEntry[]; nextCursor: string | null }>;
  auditLinks: Called<AuditLinksQuery, AuditLinks>;
  describeSandbox: Routed<SandboxView>;
  openSandbox: Routed<SandboxView>;
  createSandbox: Called<{ partnerId: string }, PartnerView>;
  createPartner: Called<{ name: string; approved?: boolean }, PartnerView>;
  listPartners: Called<object, Items<PartnerView>>;
  setPartnerActive: Called<{ partnerId: string; active: boolean }, PartnerView>;
  approvePartner: Called<{ partnerId: string }, PartnerView>;
  /** What the API client of the partner may ask for from now on. */
  setClientScopes: Called<{ partnerId: string; scopes: readonly string[] }, PartnerView>;
  createUser: Called<Login & { partnerId: string; role: string }, UserView>;
  /** Of one partner, or of all. */
  listUsers: Called<{ partnerId?: string; everybody?: true }, Items<UserView>>;
  resetPassword: Called<Login, UserView>;
  resetSecondFactor: Called<{ email: string }, UserView>;
  setUserDisabled: Called<{ email: string; disabled: boolean }, UserView>;
  changeUserRole: Called<{ email: string; role: string }, UserView>;
  endUserSessions: Called<{ email: string }, UserView>;
  createAnalyst: Called<Login, UserView>;
  setAnalystLead: Called<{ email: string; lead: boolean }, UserView>;
  /** By partner id; those that there are. */
  partnerNames: Called<{ partnerIds: readonly string[] }, { names: Record<string, string> }>;
  rotateSigningKey: Called<{ immediately?: boolean }, { id: string; kid: string; signsFrom: string }>;
  sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
  registerCertificate: Called<{ partnerId: string; certificate: string }, CredentialView>;
};
