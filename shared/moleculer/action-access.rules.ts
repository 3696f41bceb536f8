/**
 * Permitted callers of each action behind the gateway: kinds, roles and scopes. The service that acts compares
 * the caller with its row, and the gateway does not start with a route that opens more. So one wrong route opens nothing.
 */
import type { CallableBy } from "../contract/actions.ts";
import { AppError } from "../errors.ts";
import type { Caller, Role, Scope } from "../identity/caller.ts";

export type Admitted = {
  /** A partner's API client with this scope. */
  client?: Scope;
  /** People of a partner with one of these roles. */
  people?: readonly Role[];
  analysts?: boolean;
  /** Also without a caller: the gateway's own questions, and routes that are open. */
  anyone?: boolean;
};

const ALL = ["Owner", "Developer", "Viewer"] as const;
const READ: Admitted = { client: "partner.read" };
const WRITE: Admitted = { client: "partner.write" };
const READ_AND_SEE: Admitted = { ...READ, people: ALL };
const SEE: Admitted = { people: ALL };
const CHANGE: Admitted = { people: ["Owner", "Developer"] };
const OWNER: Admitted = { people: ["Owner"] };
const ANALYST: Admitted = { analysts: true };
const SIGNED_IN: Admitted = { people: ALL, analysts: true };
const ANYONE: Admitted = { anyone: true };

export const ACTION_ACCESS = {
  "auth-token.ping": ANYONE,
  "auth-token.ready": ANYONE,
  "auth-token.issueTokens": ANYONE,
  "auth-token.keySet": ANYONE,
  "auth-token.metadata": ANYONE,
  "auth-token.trustState": ANYONE,
  "auth-token.leaseQuota": ANYONE,
  "auth-token.login": ANYONE,
  "auth-token.checkSession": ANYONE,
  "auth-token.describeSession": SIGNED_IN,
  "auth-token.logout": SIGNED_IN,
  "auth-token.changePassword": SIGNED_IN,
  "auth-token.listSessions": SIGNED_IN,
  "auth-token.endOtherSessions": SIGNED_IN,
  "auth-token.endSession": SIGNED_IN,
  "auth-token.describeSecondFactor": SIGNED_IN,
  "auth-token.beginSecondFactor": SIGNED_IN,
  "auth-token.confirmSecondFactor": SIGNED_IN,
  "auth-token.removeSecondFactor": SIGNED_IN,
  "auth-token.listCredentials": SEE,
  "auth-token.createCredential": CHANGE,
  "auth-token.addCertificate": CHANGE,
  "auth-token.removeCertificate": CHANGE,
  "auth-token.revokeCredential": CHANGE,
  "auth-token.listTokenFailures": SEE,
  "auth-token.recordRequests": ANYONE,
  "auth-token.listRequests": SEE,
  "auth-token.listTeam": OWNER,
  "auth-token.invitePerson": OWNER,
  "auth-token.withdrawInvitation": OWNER,
  "auth-token.acceptInvitation": ANYONE,
  "auth-token.changeMemberRole": OWNER,
  "auth-token.disableMember": OWNER,
  "auth-token.enableMember": OWNER,
  "auth-token.endMemberSessions": OWNER,
  "auth-token.listAudit": OWNER,
  "auth-token.describeSandbox": SEE,
  "auth-token.openSandbox": OWNER,
  "profile.ping": ANYONE,
  "profile.ready": ANYONE,
  "profile.create": WRITE,
  "profile.replace": WRITE,
  "profile.patch": WRITE,
  "profile.patchPerson": WRITE,
  "profile.simulate": WRITE,
  "profile.list": READ_AND_SEE,
  "profile.get": READ_AND_SEE,
  "profile.getByReference": READ_AND_SEE,
  "profile.verificationStatus": READ_AND_SEE,
  "profile.identityRequirements": READ,
  "profile.countries": READ,
  "profile.businessTypes": READ,
  "profile.vocabularies": SIGNED_IN,
  "profile.listCases": ANALYST,
  "profile.countCases": ANALYST,
  "profile.getCase": ANALYST,
  "profile.claimNextCase": ANALYST,
  "profile.addNote": ANALYST,
  "profile.claimCase": ANALYST,
  "profile.releaseCase": ANALYST,
  "profile.requestChanges": ANALYST,
  "profile.approveCase": ANALYST,
  "profile.rejectCase": ANALYST,
  "profile.viewDocument": ANALYST,
  "profile.revealIdentity": ANALYST,
  "profile.listConfigs": ANALYST,
  "profile.changeConfig": ANALYST,
  "document.ping": ANYONE,
  "document.ready": ANYONE,
  "document.createUploadLink": WRITE,
  "document.takeNotices": ANYONE,
  "webhook-registry.ping": ANYONE,
  "webhook-registry.ready": ANYONE,
  "webhook-registry.get": SEE,
  "webhook-registry.register": CHANGE,
  "webhook-registry.replace": CHANGE,
  "webhook-registry.rotateSecret": CHANGE,
  "webhook-registry.enable": CHANGE,
  "webhook-registry.disable": CHANGE,
  "delivery.ping": ANYONE,
  "delivery.ready": ANYONE,
  "delivery.listDeliveries": SEE,
  "delivery.getDelivery": SEE,
  "delivery.listEvents": READ,
  "delivery.replayDelivery": CHANGE,
  "delivery.replayWindow": CHANGE,
  "delivery.listReplays": SEE,
  "delivery.getReplay": SEE,
  "delivery.stopReplay": CHANGE,
  "delivery.statistics": SEE,
  "delivery.sendTest": CHANGE,
  "delivery.eventTypes": SEE,
} as const satisfies Record<CallableBy<"gateway">, Admitted>;

const NOBODY: Admitted = {};

/** Null for an action that the gateway may not call. */
export const accessOf = (action: string): Admitted =>
  Object.hasOwn(ACTION_ACCESS, action) ? ACTION_ACCESS[action as keyof typeof ACTION_ACCESS] : NOBODY;

/** Refusal of the caller, or null when the action admits it. */
export function accessRefusal(
  { client, people, analysts, anyone }: Admitted,
  caller: Caller | null,
): AppError | null {
  if (anyone) return null;
  switch (caller?.kind) {
    case "analyst":
      return analysts ? null : notForThem();
    case "user":
      if (!people) return notForThem();
      return people.includes(caller.role) ? null : tooSmall(caller.role);
    case "partner":
      if (!client) return notForThem();
      return caller.scopes.includes(client) ? null : noScope(client);
    default:
      return notForThem();
  }
}

const notForThem = () =>
  new AppError("Partner.NotAuthenticated", "This operation is for another kind of caller.");
const tooSmall = (role: Role) =>
  new AppError("Partner.InsufficientRole", `The role ${role} may not do this.`);
const noScope = (scope: Scope) =>
  new AppError("Partner.InsufficientScope", `The access token needs the scope ${scope}.`);
