/** The routes that the pages use, each with the type of its answer. */
import type { ActionName, AnswerOf } from "../../../shared/contract/actions.ts";
import { type Asked, ask, type Method } from "./http.ts";
import { at, type Query, searchOf } from "./path.ts";

const PARTNER = "/api/customer/v1/partner-profile";
const CUSTOMERS = `${PARTNER}/customers`;
const WEBHOOKS = `${PARTNER}/webhooks`;
const CREDENTIALS = `${PARTNER}/api-credentials`;
const TEAM = `${PARTNER}/team`;
const COMPLIANCE = "/api/compliance/v1";
const SESSION = "/api/customer/v1/session";

/** The answer of an action's route. */
const call =
  <A extends ActionName>(method: Method, path: string) =>
  async (asked: Asked = {}): Promise<AnswerOf<A>> =>
    (await ask<AnswerOf<A>>(method, path, asked)).value;

/** A page of a list by cursor; the empty cursor is the first page. */
const pageOf = ({ cursor = "", ...query }: Query): string => searchOf(query, { cursor });

export const api = {
  secondFactor: call<"auth-token.describeSecondFactor">("GET", `${SESSION}/second-factor`),
  beginSecondFactor: call<"auth-token.beginSecondFactor">("POST", `${SESSION}/second-factor`),
  confirmSecondFactor: call<"auth-token.confirmSecondFactor">("POST", `${SESSION}/second-factor/confirm`),
  removeSecondFactor: call<"auth-token.removeSecondFactor">("DELETE", `${SESSION}/second-factor`),
  sessions: call<"auth-token.listSessions">("GET", `${SESSION}/all`),
  endOtherSessions: call<"auth-token.endOtherSessions">("DELETE", `${SESSION}/all`),
  endSession: (id: string) => call<"auth-token.endSession">("DELETE", at(SESSION)`/all/${id}`),
  changePassword: call<"auth-token.changePassword">("POST", `${SESSION}/password`),

  customers: (query: Query) => call<"profile.list">("GET", `${CUSTOMERS}${pageOf(query)}`),
  countCustomers: (verificationStatus: string) =>
    call<"profile.list">("GET", `${CUSTOMERS}${searchOf({ verificationStatus, pageSize: "1" })}`),
  customer: (id: string) => call<"profile.get">("GET", at(CUSTOMERS)`/${id}`),
  verification: (id: string) =>
    call<"profile.verificationStatus">("GET", at(CUSTOMERS)`/${id}/verification-status`),

  endpoint: call<"webhook-registry.get">("GET", WEBHOOKS),
  registerEndpoint: call<"webhook-registry.register">("POST", WEBHOOKS),
  replaceEndpoint: call<"webhook-registry.replace">("PUT", WEBHOOKS),
  rotateSecret: call<"webhook-registry.rotateSecret">("POST", `${WEBHOOKS}/rotate-secret`),
  enableEndpoint: call<"webhook-registry.enable">("POST", `${WEBHOOKS}/enable`),
  disableEndpoint: call<"webhook-registry.disable">("POST", `${WEBHOOKS}/disable`),
  sendTest: call<"delivery.sendTest">("POST", `${WEBHOOKS}/test`),
  eventTypes: call<"delivery.eventTypes">("GET", `${WEBHOOKS}/event-types`),
  replayWindow: call<"delivery.replayWindow">("POST", `${WEBHOOKS}/replay`),
  replays: call<"delivery.listReplays">("GET", `${WEBHOOKS}/replays`),
  replay: (series: string) => call<"delivery.getReplay">("GET", at(WEBHOOKS)`/replays/${series}`),
  stopReplay: (series: string) => call<"delivery.stopReplay">("POST", at(WEBHOOKS)`/replays/${series}/stop`),
  statistics: (query: Query) =>
    call<"delivery.statistics">("GET", `${WEBHOOKS}/statistics${searchOf(query)}`),
  deliveries: (query: Query) =>
    call<"delivery.listDeliveries">("GET", `${WEBHOOKS}/deliveries${pageOf(query)}`),
  countDeliveries: (query: Query) =>
    call<"delivery.listDeliveries">("GET", `${WEBHOOKS}/deliveries${searchOf({ ...query, pageSize: "1" })}`),
  delivery: (id: string) => call<"delivery.getDelivery">("GET", at(WEBHOOKS)`/deliveries/${id}`),
  replayDelivery: (id: string) =>
    call<"delivery.replayDelivery">("POST", at(WEBHOOKS)`/deliveries/${id}/replay`),

  credentials: call<"auth-token.listCredentials">("GET", CREDENTIALS),
  createCredential: call<"auth-token.createCredential">("POST", CREDENTIALS),
  addCertificate: (id: string) =>
    call<"auth-token.addCertificate">("POST", at(CREDENTIALS)`/${id}/certificates`),
  removeCertificate: (id: string, thumbprint: string) =>
    call<"auth-token.removeCertificate">("DELETE", at(CREDENTIALS)`/${id}/certificates/${thumbprint}`),
  revokeCredential: (id: string) =>
    call<"auth-token.revokeCredential">("POST", at(CREDENTIALS)`/${id}/revoke`),
  tokenFailures: (id: string) =>
    call<"auth-token.listTokenFailures">("GET", at(CREDENTIALS)`/${id}/token-failures`),

  requestLog: (query: Query) =>
    call<"auth-token.listRequests">("GET", `${PARTNER}/request-log${searchOf(query)}`),
  audit: (query: Query) => call<"auth-token.listAudit">("GET", `${PARTNER}/audit${searchOf(query)}`),
  team: call<"auth-token.listTeam">("GET", TEAM),
  invite: call<"auth-token.invitePerson">("POST", `${TEAM}/invitations`),
  withdrawInvitation: (id: string) =>
    call<"auth-token.withdrawInvitation">("DELETE", at(TEAM)`/invitations/${id}`),
  changeRole: (id: string) => call<"auth-token.changeMemberRole">("PATCH", at(TEAM)`/${id}`),
  disableMember: (id: string) => call<"auth-token.disableMember">("POST", at(TEAM)`/${id}/disable`),
  enableMember: (id: string) => call<"auth-token.enableMember">("POST", at(TEAM)`/${id}/enable`),
  endSessions: (id: string) => call<"auth-token.endMemberSessions">("POST", at(TEAM)`/${id}/end-sessions`),

  vocabularies: call<"profile.vocabularies">("GET", "/api/customer/v1/vocabularies"),
  countCases: call<"profile.countCases">("GET", `${COMPLIANCE}/cases/counts`),
  claimNext: call<"profile.claimNextCase">("POST", `${COMPLIANCE}/cases/claim-next`),
  addNote: (id: string) => call<"profile.addNote">("POST", at(COMPLIANCE)`/cases/${id}/notes`),
  viewLink: (id: string, documentId: string) =>
    call<"profile.viewDocument">("POST", at(COMPLIANCE)`/cases/${id}/documents/${documentId}/view-link`),
  revealIdentity: (id: string, uboId: string, index: number) =>
    call<"profile.revealIdentity">(
      "POST",
      at(COMPLIANCE)`/cases/${id}/people/${uboId}/identities/${String(index)}/reveal`,
    ),
  cases: (query: Query) =>
    call<"profile.listCases">("GET", `${COMPLIANCE}/cases${query.search ? searchOf(query) : pageOf(query)}`),
  case: (id: string) => call<"profile.getCase">("GET", at(COMPLIANCE)`/cases/${id}`),
  claim: (id: string) => call<"profile.claimCase">("POST", at(COMPLIANCE)`/cases/${id}/claim`),
  release: (id: string) => call<"profile.releaseCase">("POST", at(COMPLIANCE)`/cases/${id}/release`),
  requestChanges: (id: string) =>
    call<"profile.requestChanges">("POST", at(COMPLIANCE)`/cases/${id}/request-changes`),
  approve: (id: string) => call<"profile.approveCase">("POST", at(COMPLIANCE)`/cases/${id}/approve`),
  reject: (id: string) => call<"profile.rejectCase">("POST", at(COMPLIANCE)`/cases/${id}/reject`),
  countryRules: (query: Query) =>
    call<"profile.listConfigs">("GET", `${COMPLIANCE}/onboarding-configs${searchOf(query)}`),
  changeCountryRules: (country: string) =>
    call<"profile.changeConfig">("PUT", at(COMPLIANCE)`/onboarding-configs/${country}`),
};
