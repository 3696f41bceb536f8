/** All that the port answers: the public API, which gateway/openapi/docs documents, and the pages. */
import type { Page } from "./route.ts";
import { analyst, oauth, open, owner, page, partner, section, signedIn, user } from "./row-builders.ts";
import { WITHDRAWN_ROUTES } from "./withdrawn.ts";

const PROFILES = "/api/partner/v1/business-profiles";
const DASHBOARD = "/api/customer/v1/partner-profile";

/** The contract has its own code for a delivery service that cannot be reached. */
const DISPATCH = { unavailableCode: "Webhook.DispatcherUnavailable" } as const;
const SEND = {
  ...DISPATCH,
  findOut: "The list of deliveries shows within half a minute whether it was sent.",
} as const;
const STOP = { ...DISPATCH, findOut: "Read the replay to see whether it was stopped." } as const;
/** A POST because it is recorded and its answer must not be cached; it changes nothing. */
const LOOK = {
  body: "none",
  findOut: "Send the request again. Each request is recorded in the audit log.",
} as const;
/** An open screen is not enough to let another person in, to send events elsewhere or to change the rules of a country. */
const FRESH = { fresh: true } as const;
/** For the person with the link; counted by address. */
const ACCEPT = {
  envelope: "dashboard",
  limit: "write",
  findOut: "Try to sign in with the new password. If you can, the invitation was accepted.",
} as const;
const CREATE = {
  grouped: true,
  malformedCode: "Validation",
  findOut:
    "Read the customer by its partnerCustomerId (by-reference), or send the same request again. It cannot be created twice.",
} as const;

/** A page counts against the budget of the address. */
const COUNTED = { limit: "page" } as const;

/**
 * Callers: `partner` with an access token (GET needs partner.read, everything else partner.write),
 * `user` with the session of a partner's person (a Viewer may only GET), `owner` with an Owner's, `analyst` with an analyst's session,
 * `signedIn` with any session, `oauth` and `open` without credentials.
 * POST, PUT and PATCH take JSON unless the row says otherwise.
 */
// biome-ignore format: a table; a row has at most 110 columns
export const ROUTES = [
  ...section("Tokens", "/oauth2",
    oauth("POST", "/token", "auth-token.issueTokens", { body: "form", limit: "token", grouped: true }),
    oauth("GET",  "/jwks",  "auth-token.keySet", { sameForAll: true }),
  ),
  ...section("Tokens", "/.well-known",
    oauth("GET",  "/oauth-authorization-server", "auth-token.metadata", { sameForAll: true }),
  ),
  ...section("Business profiles", PROFILES,
    partner("POST",  "",                    "profile.create", CREATE),
    partner("PUT",   "/:businessProfileId", "profile.replace"),
    partner("PATCH", "/:customerId",        "profile.patch"),
    partner("PATCH", "/:customerId/persons/:uboId", "profile.patchPerson"),
    partner("GET",   "",                                 "profile.list"),
    partner("GET",   "/by-reference/:partnerCustomerId", "profile.getByReference"),
    partner("GET",   "/:customerId",                     "profile.get"),
    partner("GET",   "/:customerId/verification-status", "profile.verificationStatus"),
    partner("POST",  "/:customerId/simulate",            "profile.simulate"),
  ),
  ...section("Business profiles", `${DASHBOARD}/customers`,
    user("GET", "",                                 "profile.list"),
    user("GET", "/by-reference/:partnerCustomerId", "profile.getByReference"),
    user("GET", "/:customerId",                     "profile.get"),
    user("GET", "/:customerId/verification-status", "profile.verificationStatus"),
  ),
  ...section("Documents", PROFILES,
    partner("POST",  "/:customerId/documents/upload-link", "document.createUploadLink", { grouped: true }),
  ),
  ...section("Events", "/api/partner/v1/events",
    partner("GET",   "", "delivery.listEvents"),
  ),
  ...section("Onboarding rules", "/api/customer/v1/onboarding",
    partner("GET",   "/ubo-identity-requirements", "profile.identityRequirements"),
    partner("GET",   "/countries",                 "profile.countries"),
    partner("GET",   "/business-types",            "profile.businessTypes"),
  ),
  ...section("Onboarding rules", "/api/customer/v1",
    signedIn("GET",  "/vocabularies", "profile.vocabularies", { cached: true }),
  ),
  ...section("Session", "/api/customer/v1/session",
    open("POST",       "", "auth-token.login", { envelope: "dashboard", limit: "login", optionalSession: true }),
    signedIn("GET",    "", "auth-token.describeSession"),
    signedIn("DELETE", "", "auth-token.logout",          { limit: "none" }),
    signedIn("POST",   "/password",              "auth-token.changePassword"),
    open("POST",       "/invitation",            "auth-token.acceptInvitation", ACCEPT),
    signedIn("GET",    "/all",                   "auth-token.listSessions"),
    signedIn("DELETE", "/all",                   "auth-token.endOtherSessions"),
    signedIn("DELETE", "/all/:sessionId",        "auth-token.endSession"),
    signedIn("GET",    "/second-factor",         "auth-token.describeSecondFactor"),
    signedIn("POST",   "/second-factor",         "auth-token.beginSecondFactor", FRESH),
    signedIn("POST",   "/second-factor/confirm", "auth-token.confirmSecondFactor"),
    signedIn("DELETE", "/second-factor",         "auth-token.removeSecondFactor", { ...FRESH, body: "json" }),
  ),
  ...section("API credentials", `${DASHBOARD}/api-credentials`,
    user("GET",  "", "auth-token.listCredentials"),
    user("POST", "", "auth-token.createCredential", FRESH),
  ),
  ...section("API credentials", `${DASHBOARD}/api-credentials/:credentialId`,
    user("POST",   "/certificates",             "auth-token.addCertificate", FRESH),
    user("DELETE", "/certificates/:thumbprint", "auth-token.removeCertificate", FRESH),
    user("POST",   "/revoke",                   "auth-token.revokeCredential", { ...FRESH, body: "none" }),
    user("GET",    "/token-failures",           "auth-token.listTokenFailures"),
  ),
  ...section("API credentials", `${DASHBOARD}/request-log`,
    user("GET",  "", "auth-token.listRequests"),
  ),
  ...section("Team", `${DASHBOARD}/team`,
    owner("GET",   "",                      "auth-token.listTeam"),
    owner("POST",  "/invitations",          "auth-token.invitePerson", FRESH),
    owner("DELETE", "/invitations/:invitationId", "auth-token.withdrawInvitation", FRESH),
    owner("PATCH", "/:userId",              "auth-token.changeMemberRole", FRESH),
    owner("POST",  "/:userId/disable",      "auth-token.disableMember", { ...FRESH, body: "none" }),
    owner("POST",  "/:userId/enable",       "auth-token.enableMember", { ...FRESH, body: "none" }),
    owner("POST",  "/:userId/end-sessions", "auth-token.endMemberSessions", { ...FRESH, body: "none" }),
  ),
  ...section("Team", `${DASHBOARD}/audit`,
    owner("GET",   "", "auth-token.listAudit"),
  ),
  ...section("Sandbox", `${DASHBOARD}/sandbox`,
    user("GET",   "", "auth-token.describeSandbox"),
    owner("POST", "", "auth-token.openSandbox", { body: "none" }),
  ),
  ...section("Webhooks", `${DASHBOARD}/webhooks`,
    user("GET",  "",               "webhook-registry.get"),
    user("POST", "",               "webhook-registry.register", FRESH),
    user("PUT",  "",               "webhook-registry.replace", FRESH),
    user("POST", "/rotate-secret", "webhook-registry.rotateSecret", { ...FRESH, body: "none" }),
    user("POST", "/enable",        "webhook-registry.enable", { body: "none" }),
    user("POST", "/disable",       "webhook-registry.disable", { body: "none" }),
    user("POST", "/replay",        "delivery.replayWindow", SEND),
    user("POST", "/test",          "delivery.sendTest", { ...SEND, body: "none" }),
    user("GET",  "/statistics",    "delivery.statistics", DISPATCH),
    user("GET",  "/event-types",   "delivery.eventTypes", { ...DISPATCH, openToInactivePartner: true }),
  ),
  ...section("Webhooks", `${DASHBOARD}/webhooks/deliveries`,
    user("GET",  "",                    "delivery.listDeliveries", DISPATCH),
    user("GET",  "/:deliveryId",        "delivery.getDelivery", DISPATCH),
    user("POST", "/:deliveryId/replay", "delivery.replayDelivery", { ...SEND, body: "none" }),
  ),
  ...section("Webhooks", `${DASHBOARD}/webhooks/replays`,
    user("GET",  "",                    "delivery.listReplays", DISPATCH),
    user("GET",  "/:replaySeries",      "delivery.getReplay", DISPATCH),
    user("POST", "/:replaySeries/stop", "delivery.stopReplay", { ...STOP, body: "none" }),
  ),
  ...section("Compliance", "/api/compliance/v1",
    analyst("GET",  "/cases",                             "profile.listCases"),
    analyst("GET",  "/cases/counts",                      "profile.countCases"),
    analyst("POST", "/cases/claim-next",                  "profile.claimNextCase", { body: "none" }),
    analyst("GET",  "/cases/:customerId",                 "profile.getCase"),
    analyst("POST", "/cases/:customerId/notes",           "profile.addNote"),
    analyst("POST", "/cases/:customerId/claim",           "profile.claimCase", { body: "none" }),
    analyst("POST", "/cases/:customerId/release",         "profile.releaseCase", { body: "none" }),
    analyst("POST", "/cases/:customerId/request-changes", "profile.requestChanges"),
    analyst("POST", "/cases/:customerId/approve",         "profile.approveCase"),
    analyst("POST", "/cases/:customerId/reject",          "profile.rejectCase"),
    analyst("GET",  "/onboarding-configs",                "profile.listConfigs"),
    analyst("PUT",  "/onboarding-configs/:countryCode",   "profile.changeConfig", FRESH),
  ),
  ...section("Compliance", "/api/compliance/v1/cases/:customerId",
    analyst("POST", "/documents/:documentId/view-link",        "profile.viewDocument", LOOK),
    analyst("POST", "/people/:uboId/identities/:index/reveal", "profile.revealIdentity", LOOK),
  ),
  ...section("Health", "/api",
    open("GET", "/ping", "profile.ping", { sameForAll: true }),
  ),
];

// biome-ignore format: a table
export const PAGES: readonly Page[] = [
  page("/",                           "start"),
  page("/dashboard",                  "dashboard", COUNTED),
  page("/dashboard/*file",            "dashboard", COUNTED),
  page("/docs",                       "docs", COUNTED),
  page("/docs/:file",                 "docs", COUNTED),
  page("/api/openapi.json",           "document", COUNTED),
  page("/api/openapi-dashboard.json", "document", COUNTED),
  page("/healthz",                    "alive"),
  page("/readyz",                     "ready"),
  page("/storage/notices",            "notification", { method: "POST" }),
  ...WITHDRAWN_ROUTES,
];

type RoutedRow = (typeof ROUTES)[number];
export type Tag = RoutedRow["tag"];
export type RoutedAction = RoutedRow["action"];
/** The actions below one tag. */
export type ActionsOf<T extends Tag> = Extract<RoutedRow, { tag: T }>["action"];
