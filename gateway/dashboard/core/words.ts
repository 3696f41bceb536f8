/** States and error kinds in the words of the people who read them. */

import type { AttemptView, ReplayView } from "../../../shared/contract/answers/delivery.ts";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import type {
  DeliveryStatus,
  REASON_CODES,
  ResponseClass,
  ReviewStage,
  VerificationStatus,
} from "../../../shared/contract/vocabularies.ts";
/** Tone of a badge or a notice. */
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

export const verificationWords = saidBy<VerificationStatus>({
  NotStarted: { label: "Not started" },
  PendingVerification: { label: "Pending verification", tone: "info" },
  StartedNotCompleted: { label: "Not completed" },
  ChangesRequested: { label: "Changes requested", tone: "warn" },
  Approved: { label: "Approved", tone: "good" },
  Rejected: { label: "Rejected", tone: "bad" },
});

export const stageWords = saidBy<ReviewStage>({
  Queued: { label: "Queued", tone: "info" },
  UnderReview: { label: "Under review", tone: "info" },
  AwaitingPartner: { label: "Awaiting partner", tone: "warn" },
  Closed: { label: "Closed" },
});

export const disabledWords = textBy<string>({
  ConsecutiveFailures: "too many attempts in a row failed",
  EndpointGone: "it answered 410 Gone",
  UrlNotPublic: "its address is not a public one",
  Person: "somebody of your team disabled it",
});

export const errorWords = textBy<NonNullable<AttemptView["errorKind"]>>({
  Timeout: "No answer in time.",
  Dns: "The host name could not be resolved.",
  Connect: "No connection, or it broke before the answer.",
  Tls: "The TLS handshake failed: certificate or protocol.",
  HttpStatus: "The answer was not a 2xx.",
  Redirect: "The answer was a redirect; redirects are not followed.",
  UrlNotPublic: "The host name leads to an address that is not public.",
  EndpointDisabled: "Not sent: the endpoint was disabled.",
});

const RESPONSE_CLASS: Readonly<Record<ResponseClass, string>> = {
  "2xx": "2xx, accepted",
  "3xx": "3xx, a redirect",
  "4xx": "4xx, refused",
  "5xx": "5xx, an error of the server",
  none: "None at all",
};
export const RESPONSE_OPTIONS = Object.entries(RESPONSE_CLASS);

export const replayWords = saidBy<ReplayView["state"]>({
  Running: { label: "Under way", tone: "info" },
  Finished: { label: "Finished", tone: "good" },
  Stopped: { label: "Stopped", tone: "warn" },
});

/** Advice for a refused token, by its reason. */
const TOKEN_REFUSAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AssertionMalformed: "Send a JWT with three parts as client_assertion.",
    AlgorithmNotAllowed: "Sign with RS256.",
    TypeNotAllowed: "Leave typ out, or set it to JWT.",
    CriticalHeaderRefused: "Leave crit out of the header.",
    ClientUnknown: "Set iss and sub to your client id, exactly.",
    IssuerMismatch: "Set both iss and sub to your client id.",
    PartnerInactive: "Your organisation is inactive; ask the operator.",
    CredentialRevoked: "This credential was revoked; create a new one.",
    CertificateMissing:
      "Name a registered certificate in the header (x5t#S256 or kid), or register yours below.",
    CertificateExpired: "Add a new certificate and sign with its key.",
    CertificateNotYetValid: "Wait until the certificate begins, or check the clock of your server.",
    KeyNotAllowed: "Use an RSA key of at least 2048 bits.",
    SignatureInvalid: "Sign with the private key of a certificate that is registered here.",
    AudienceInvalid: "Set aud to the issuer or to the token URL, as shown above.",
    ExpiryInvalid: "Set exp, in seconds.",
    Expired: "Check the clock of your server, and sign a new assertion for each request.",
    ExpiryTooFar: "Let exp be at most a few minutes after iat.",
    NotYetValid: "Check the clock of your server: nbf is in the future.",
    IssuedInFuture: "Check the clock of your server: iat is in the future.",
    JtiInvalid: "Set jti to an id of its own.",
    Replayed: "Send each assertion once: a new jti for every request.",
  }),
);
export const refusalWords = (reason: string): string => TOKEN_REFUSAL.get(reason) ?? "See the message.";

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
