/**
 * Every action between processes: who offers it, who may call it. A service that offers another set than this
 * does not start, the gateway refuses a route to an action that is not here, and NATS permissions come from it.
 */
import type { ProcessName, ServiceName } from "./config/config.ts";

type Callers = readonly ProcessName[];

const GATEWAY: Callers = ["gateway"];
const ADMIN: Callers = ["admin"];

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
    listCredentials: GATEWAY,
    createCredential: GATEWAY,
    addCertificate: GATEWAY,
    removeCertificate: GATEWAY,
    revokeCredential: GATEWAY,
    listTokenFailures: GATEWAY,
    createPartner: ADMIN,
    listPartners: ADMIN,
    setPartnerActive: ADMIN,
    approvePartner: ADMIN,
    createUser: ADMIN,
    listUsers: ADMIN,
    resetPassword: ADMIN,
    createAnalyst: ADMIN,
    rotateSigningKey: ADMIN,
    registerCertificate: ADMIN,
  },
  profile: {
    ping: GATEWAY,
    ready: GATEWAY,
    create: GATEWAY,
    replace: GATEWAY,
    patch: GATEWAY,
    list: GATEWAY,
    get: GATEWAY,
    getByReference: GATEWAY,
    verificationStatus: GATEWAY,
    identityRequirements: GATEWAY,
    businessTypes: GATEWAY,
    listCases: GATEWAY,
    getCase: GATEWAY,
    claimCase: GATEWAY,
    releaseCase: GATEWAY,
    requestChanges: GATEWAY,
    approveCase: GATEWAY,
    rejectCase: GATEWAY,
    customerForUpload: ["document"],
    recordDocument: ["document"],
    confirmEvents: ["delivery"],
    listConfigs: GATEWAY,
    changeConfig: GATEWAY,
    listCountryConfigs: ADMIN,
    changeCountryConfig: ADMIN,
  },
  document: {
    ping: GATEWAY,
    ready: GATEWAY,
    createUploadLink: GATEWAY,
    confirmForCustomer: ["profile"],
  },
  "webhook-registry": {
    ping: GATEWAY,
    ready: GATEWAY,
    get: GATEWAY,
    register: GATEWAY,
    replace: GATEWAY,
    rotateSecret: GATEWAY,
    enable: GATEWAY,
    /** {partnerId} → null | DeliveryEndpoint (services/webhook-registry/endpoint.view.ts); the secrets stay sealed. */
    endpointForDelivery: ["delivery"],
    /**
     * {endpointId, partnerId, outcomes: [{at, ok, statusCode, errorKind, exhausted}]} → {status, consecutiveFailures,
     * healed, disabled}. `at` is the ISO time the attempt ended. Report every failure; report a success only when the
     * endpoint, as last known from either action, is not Active with no failures: such a success changes nothing.
     * Sending a report twice is harmless: outcomes not newer than the last counted one are not counted again.
     */
    reportHealth: ["delivery"],
  },
  delivery: {
    ping: GATEWAY,
    ready: GATEWAY,
    listDeliveries: GATEWAY,
    getDelivery: GATEWAY,
    replayDelivery: GATEWAY,
    replayWindow: GATEWAY,
    sendTest: GATEWAY,
    eventTypes: GATEWAY,
    /** {partnerId, since} → {skipped, oldestOccurredAt}: events recorded unrouted since that ISO time. */
    countSkipped: ["webhook-registry"],
  },
} as const satisfies Record<ServiceName, Record<string, Callers>>;

export type ActionName = {
  [S in ServiceName]: `${S}.${Extract<keyof (typeof ACTIONS)[S], string>}`;
}[ServiceName];

/** Made again when the instance that was asked died: they change nothing, or nothing more when made twice. */
export const REPEATABLE_ACTIONS: ReadonlySet<string> = new Set<ActionName>([
  "profile.create",
  "profile.list",
  "profile.get",
  "profile.getByReference",
  "profile.verificationStatus",
  "profile.identityRequirements",
  "profile.businessTypes",
  "document.createUploadLink",
]);

export const isAction = (name: string): name is ActionName => {
  const [service = "", action = ""] = name.split(".");
  return Object.hasOwn(ACTIONS, service) && Object.hasOwn(ACTIONS[service as ServiceName], action);
};

/** Says what is wrong with the set of actions a service offers; an empty list when it is right. */
export function actionProblems(service: ServiceName, offered: readonly string[]): string[] {
  const declared = Object.keys(ACTIONS[service]);
  return [
    ...declared.filter((name) => !offered.includes(name)).map((name) => `${service}.${name} is not offered`),
    ...offered.filter((name) => !declared.includes(name)).map((name) => `${service}.${name} is not declared`),
  ];
}
