/** States and error kinds in the words of the people who read them. */
import type { AttemptView, ReplayView } from "../../../shared/contract/answers/delivery.ts";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import type {
  DeliveryStatus,
  DocumentStatus,
  REASON_CODES,
  ResponseClass,
  ReviewStage,
  VerificationStatus,
} from "../../../shared/contract/vocabularies.ts";

export type Tone = "good" | "warn" | "bad" | "info";

export type Said = { label: string; tone?: Tone };

/** A gateway of a newer release may send a value that this page does not know: its own name is its label. */
const saidBy =
  <Value extends string>(table: Readonly<Record<Value, Said>>) =>
  (value: Value): Said =>
    Object.hasOwn(table, value) ? table[value] : { label: value };

const textBy =
  <Value extends string>(table: Readonly<Record<Value, string>>) =>
  (value: Value): string =>
    Object.hasOwn(table, value) ? table[value] : value;

export const deliveryWords = saidBy<DeliveryStatus>({
  Pending: { label: "Pending", tone: "warn" },
  Delivered: { label: "Delivered", tone: "good" },
  Exhausted: { label: "Exhausted", tone: "bad" },
});

export const endpointWords = saidBy<EndpointView["status"]>({
  NotRegistered: { label: "Not registered" },
  Active: { label: "Active", tone: "good" },
  Degraded: { label: "Degraded", tone: "warn" },
  Disabled: { label: "Disabled", tone: "bad" },
});

/** Statuses that a list of customers can have. */
export const CUSTOMER_STATUSES = ["PendingVerification", "ChangesRequested", "Approved", "Rejected"] as const;

export const verificationWords = saidBy<VerificationStatus>({
  NotStarted: { label: "Not started" },
  PendingVerification: { label: "Pending verification", tone: "info" },
  StartedNotCompleted: { label: "Not completed" },
  ChangesRequested: { label: "Changes requested", tone: "warn" },
  Approved: { label: "Approved", tone: "good" },
  Rejected: { label: "Rejected", tone: "bad" },
});

export const requestWords = saidBy<"Open" | "Answered" | "Withdrawn">({
  Open: { label: "Open", tone: "warn" },
  Answered: { label: "Answered", tone: "good" },
  Withdrawn: { label: "Withdrawn" },
});

export const documentWords = saidBy<DocumentStatus>({
  AwaitingUpload: { label: "Awaiting upload", tone: "warn" },
  Confirmed: { label: "Confirmed", tone: "good" },
  Rejected: { label: "Rejected", tone: "warn" },
  Superseded: { label: "Superseded", tone: "warn" },
  Expired: { label: "Expired", tone: "warn" },
  Missing: { label: "Missing", tone: "warn" },
});

export const stageWords = saidBy<ReviewStage>({
  Queued: { label: "Queued", tone: "info" },
  UnderReview: { label: "Under review", tone: "info" },
  AwaitingPartner: { label: "Awaiting partner", tone: "warn" },
  Closed: { label: "Closed" },
});

export const disabledWords = textBy<string>({
  ConsecutiveFailures: "too many attempts in a row failed",
  EndpointGone: "your server answered 410 Gone",
  UrlNotPublic: "the URL leads to an address that is not public",
  Person: "a member of your team disabled it",
});

export const errorWords = textBy<NonNullable<AttemptView["errorKind"]>>({
  Timeout: "Your server did not answer in time.",
  Dns: "The host name could not be resolved.",
  Connect: "The connection failed or broke before the response.",
  Tls: "The TLS handshake failed. Check the certificate and the protocol of your server.",
  HttpStatus: "The response was not a 2xx.",
  Redirect: "The response was a redirect. Redirects are not followed.",
  UrlNotPublic: "The host name leads to an address that is not public.",
  EndpointDisabled: "Not sent, because the webhook was disabled.",
});

const RESPONSE_CLASS: Readonly<Record<ResponseClass, string>> = {
  "2xx": "2xx, accepted",
  "3xx": "3xx, redirect",
  "4xx": "4xx, refused",
  "5xx": "5xx, server error",
  none: "No response",
};
export const RESPONSE_OPTIONS = Object.entries(RESPONSE_CLASS);

export const replayWords = saidBy<ReplayView["state"]>({
  Running: { label: "Running", tone: "info" },
  Finished: { label: "Finished", tone: "good" },
  Stopped: { label: "Stopped", tone: "warn" },
});

/** Advice for a refused token, by its reason. */
const TOKEN_REFUSAL: Readonly<Record<string, string>> = {
  AssertionMalformed: "Send a JWT with three parts as client_assertion.",
  AlgorithmNotAllowed: "Sign with RS256.",
  TypeNotAllowed: "Leave typ out, or set it to JWT.",
  CriticalHeaderRefused: "Leave crit out of the header.",
  ClientUnknown: "Set iss and sub to your exact client id.",
  IssuerMismatch: "Set both iss and sub to your client id.",
  PartnerInactive: "Your organisation is inactive. Ask the operator of this service.",
  CredentialRevoked: "This credential was revoked. Create a new one.",
  CertificateMissing: "Name a registered certificate in the header (x5t#S256 or kid), or add yours.",
  CertificateExpired: "Add a new certificate and sign with its key.",
  CertificateNotYetValid: "Check the clock of your server, or wait until the certificate is valid.",
  KeyNotAllowed: "Use an RSA key of at least 2048 bits.",
  SignatureInvalid: "Sign with the private key of a registered certificate.",
  AudienceInvalid: "Set aud to the issuer or to the token URL of your credential.",
  ExpiryInvalid: "Set exp, in seconds.",
  Expired: "Check the clock of your server, and sign a new assertion for each request.",
  ExpiryTooFar: "Set exp to at most a few minutes after iat.",
  NotYetValid: "Check the clock of your server. nbf is in the future.",
  IssuedInFuture: "Check the clock of your server. iat is in the future.",
  JtiInvalid: "Set jti to a new, unique id.",
  Replayed: "Send each assertion once, with a new jti for every request.",
};
export const refusalWords = (reason: string): string =>
  Object.hasOwn(TOKEN_REFUSAL, reason) ? (TOKEN_REFUSAL[reason] ?? "") : "See the message.";

/** Why something is asked for or refused, as analysts choose it. */
const REASON_CODE: Readonly<Record<(typeof REASON_CODES)[number], string>> = {
  "Document.Unreadable": "Document unreadable",
  "Document.Expired": "Document expired",
  "Document.WrongType": "Wrong type of document",
  "Document.Missing": "Document missing",
  "Document.NameMismatch": "Name differs in the document",
  "Document.AddressMismatch": "Address differs in the document",
  "Business.NotFoundInRegistry": "Not found in the registry",
  "Business.NameMismatch": "Company name differs",
  "Business.RegistrationNumberMismatch": "Registration number differs",
  "Business.OwnershipUnclear": "Ownership unclear",
  "Business.SourceOfFundsUnclear": "Source of funds unclear",
  "Business.ProhibitedActivity": "Prohibited activity",
  "Person.IdentityMismatch": "Identity differs",
  "Person.IdentityNumberInvalid": "Identity number invalid",
  "Person.Missing": "Person missing",
  "Risk.PolicyDecision": "Decision by policy",
  Other: "Other",
};

export const REASON_OPTIONS = Object.entries(REASON_CODE);
export const reasonInWords = textBy<string>(REASON_CODE);
