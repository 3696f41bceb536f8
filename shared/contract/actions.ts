/**
 * Every action between processes: which service offers it, who may call it, its request and answer types
 * (actions/). A service that offers a different set does not start, one that is called by another process than the
 * action's column names refuses, and NATS permissions are derived from it.
 */

import type { ProcessName, ServiceName } from "../config/config.ts";
import type { Grouped } from "./actions/action.ts";
import type { AuthTokenActions } from "./actions/auth-token.ts";
import type { DeliveryActions } from "./actions/delivery.ts";
import type { DocumentActions } from "./actions/document.ts";
import type { ProfileActions } from "./actions/profile.ts";
import type { WebhookRegistryActions } from "./actions/webhook-registry.ts";

/** Request and answer of each action; the table below has the same names. */
export type ActionTypes = {
  "auth-token": AuthTokenActions;
  profile: ProfileActions;
  document: DocumentActions;
  "webhook-registry": WebhookRegistryActions;
  delivery: DeliveryActions;
};

type Callers = readonly ProcessName[];

const GATEWAY = ["gateway"] as const satisfies Callers;
const ADMIN = ["admin"] as const satisfies Callers;

export const ACTIONS = {
  "auth-token": {
    ping: GATEWAY,
    ready: GATEWAY,
    issueTokens: GATEWAY,
    keySet: GATEWAY,
    metadata: GATEWAY,
    trustState: GATEWAY,
    leaseQuota: GATEWAY,
    login: GATEWAY,
    checkSession: GATEWAY,
    describeSession: GATEWAY,
    logout: GATEWAY,
    changePassword: GATEWAY,
    listSessions: GATEWAY,
    endOtherSessions: GATEWAY,
    endSession: GATEWAY,
    describeSecondFactor: GATEWAY,
    beginSecondFactor: GATEWAY,
    confirmSecondFactor: GATEWAY,
    removeSecondFactor: GATEWAY,
    listCredentials: GATEWAY,
    createCredential: GATEWAY,
    addCertificate: GATEWAY,
    removeCertificate: GATEWAY,
    revokeCredential: GATEWAY,
    listTokenFailures: GATEWAY,
    recordRequests: GATEWAY,
    listRequests: GATEWAY,
    listTeam: GATEWAY,
    invitePerson: GATEWAY,
    withdrawInvitation: GATEWAY,
    acceptInvitation: GATEWAY,
    changeMemberRole: GATEWAY,
    disableMember: GATEWAY,
    enableMember: GATEWAY,
    endMemberSessions: GATEWAY,
    listAudit: ["gateway", "admin"],
    auditLinks: ADMIN,
    describeSandbox: GATEWAY,
    openSandbox: GATEWAY,
    createSandbox: ADMIN,
    createPartner: ADMIN,
    listPartners: ADMIN,
    setPartnerActive: ADMIN,
    approvePartner: ADMIN,
    setClientScopes: ADMIN,
    createUser: ADMIN,
    listUsers: ADMIN,
    resetPassword: ADMIN,
    resetSecondFactor: ADMIN,
    setUserDisabled: ADMIN,
    changeUserRole: ADMIN,
    endUserSessions: ADMIN,
    createAnalyst: ADMIN,
    setAnalystLead: ADMIN,
    partnerNames: ["profile"],
    rotateSigningKey: ADMIN,
    sweepFieldKeys: ADMIN,
    registerCertificate: ADMIN,
  },
  profile: {
    ping: GATEWAY,
    ready: GATEWAY,
    create: GATEWAY,
    replace: GATEWAY,
    patch: GATEWAY,
    patchPerson: GATEWAY,
    simulate: GATEWAY,
    list: GATEWAY,
    get: GATEWAY,
    getByReference: GATEWAY,
    verificationStatus: GATEWAY,
    identityRequirements: GATEWAY,
    countries: GATEWAY,
    businessTypes: GATEWAY,
    vocabularies: GATEWAY,
    listCases: GATEWAY,
    countCases: GATEWAY,
    getCase: GATEWAY,
    claimNextCase: GATEWAY,
    addNote: GATEWAY,
    claimCase: GATEWAY,
    releaseCase: GATEWAY,
    requestChanges: GATEWAY,
    approveCase: GATEWAY,
    rejectCase: GATEWAY,
    viewDocument: GATEWAY,
    revealIdentity: GATEWAY,
    uploadRefusals: ["document"],
    recordDocument: ["document"],
    confirmEvents: ["delivery"],
    listConfigs: GATEWAY,
    changeConfig: GATEWAY,
    sweepFieldKeys: ADMIN,
    eraseCustomer: ADMIN,
    auditEntries: ["auth-token"],
    auditLinks: ADMIN,
    listCountryConfigs: ADMIN,
    changeCountryConfig: ADMIN,
  },
  document: {
    ping: GATEWAY,
    ready: GATEWAY,
    createUploadLink: GATEWAY,
    takeNotices: GATEWAY,
    confirmForCustomer: ["profile"],
    signViewLink: ["profile"],
    eraseForCustomer: ["profile"],
    setPartnerStanding: ["auth-token"],
  },
  "webhook-registry": {
    ping: GATEWAY,
    ready: GATEWAY,
    get: GATEWAY,
    register: GATEWAY,
    replace: GATEWAY,
    rotateSecret: GATEWAY,
    enable: GATEWAY,
    disable: GATEWAY,
    endpointForDelivery: ["delivery"],
    reportHealth: ["delivery"],
    sweepFieldKeys: ADMIN,
    setPartnerStanding: ["auth-token"],
    auditEntries: ["auth-token"],
    auditLinks: ADMIN,
  },
  delivery: {
    ping: GATEWAY,
    ready: GATEWAY,
    listDeliveries: GATEWAY,
    getDelivery: GATEWAY,
    listEvents: GATEWAY,
    replayDelivery: GATEWAY,
    replayWindow: GATEWAY,
    listReplays: GATEWAY,
    getReplay: GATEWAY,
    stopReplay: GATEWAY,
    statistics: GATEWAY,
    sendTest: GATEWAY,
    eventTypes: GATEWAY,
    countSkipped: ["webhook-registry"],
    endpointActivity: ["webhook-registry"],
    takeAttempts: ["delivery"],
    lookNow: ["delivery"],
    sweepFieldKeys: ADMIN,
    auditEntries: ["auth-token"],
    auditLinks: ADMIN,
  },
} as const satisfies { [S in ServiceName]: Record<keyof ActionTypes[S], Callers> };

type Table = typeof ACTIONS;

export type ActionName = { [S in ServiceName]: `${S}.${keyof Table[S] & string}` }[ServiceName];

/** The actions that a process may call. */
export type CallableBy<P extends ProcessName> = {
  [S in ServiceName]: {
    [A in keyof Table[S] & string]: P extends (Table[S][A] & Callers)[number] ? `${S}.${A}` : never;
  }[keyof Table[S] & string];
}[ServiceName];

type TypesOf<N extends ActionName> = N extends `${infer S extends ServiceName}.${infer A}`
  ? A extends keyof ActionTypes[S]
    ? ActionTypes[S][A]
    : never
  : never;

export type RequestOf<N extends ActionName> = TypesOf<N> extends { request: infer Request } ? Request : never;
export type AnswerOf<N extends ActionName> = TypesOf<N> extends { answer: infer Answer } ? Answer : never;

/** Repeated when the instance that took the call died: reads, and writes that are idempotent. */
export const REPEATABLE_ACTIONS: ReadonlySet<string> = new Set<ActionName>([
  "profile.create",
  "profile.list",
  "profile.get",
  "profile.getByReference",
  "profile.verificationStatus",
  "profile.identityRequirements",
  "profile.countries",
  "profile.businessTypes",
  "document.createUploadLink",
  "delivery.listEvents",
]);

type GroupedName = {
  [S in ServiceName]: {
    [A in keyof ActionTypes[S] & string]: ActionTypes[S][A] extends Grouped ? `${S}.${A}` : never;
  }[keyof ActionTypes[S] & string];
}[ServiceName];

/** Several requests share a call, each with its own caller and answer. */
const GROUPED = {
  "auth-token.issueTokens": true,
  "document.createUploadLink": true,
  "profile.create": true,
} as const satisfies Record<GroupedName, true>;

export const GROUPED_ACTIONS: ReadonlySet<string> = new Set(Object.keys(GROUPED));

export const isAction = (name: string): name is ActionName => {
  const [service = "", action = ""] = name.split(".");
  return Object.hasOwn(ACTIONS, service) && Object.hasOwn(ACTIONS[service as ServiceName], action);
};

/** Whether the column of the action names the process. */
export function mayCall(process: string, action: string): boolean {
  if (!isAction(action)) return false;
  const [service, name] = action.split(".") as [ServiceName, string];
  return (ACTIONS[service] as Record<string, readonly string[]>)[name]?.includes(process) ?? false;
}

/** How the actions a service offers differ from the table; empty when they match. */
export function actionProblems(service: ServiceName, offered: readonly string[]): string[] {
  const declared = Object.keys(ACTIONS[service]);
  return [
    ...declared.filter((name) => !offered.includes(name)).map((name) => `${service}.${name} is not offered`),
    ...offered.filter((name) => !declared.includes(name)).map((name) => `${service}.${name} is not declared`),
  ];
}
