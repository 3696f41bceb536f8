/** The webhook endpoint of a partner. */
import {
  type Answer,
  always,
  count,
  described,
  id,
  list,
  oneOf,
  orNull,
  record,
  text,
  time,
  uri,
} from "../answer-schema.ts";
import { DISABLED_REASONS, ENDPOINT_STATUSES } from "../vocabularies.ts";

const secret = { ...text, pattern: "^whsec_[A-Za-z0-9+/]{43}=$" };
const issuedSecret = described(
  orNull(secret),
  "Shown only when it is issued; null when the secret in force is kept.",
);
const message = described(text, "For the person who reads the answer.");

const activity = record({
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  pausedUntil: described(orNull(time), "The receiver answered Retry-After."),
  waiting: described(count, "Deliveries that are not finished; counted up to 10,000."),
});
export type EndpointActivity = Answer<typeof activity>;

export const endpointValue = record({
  url: orNull(uri),
  status: oneOf(["NotRegistered", ...ENDPOINT_STATUSES]),
  consecutiveFailures: count,
  degradedSince: orNull(time),
  disabledAt: orNull(time),
  disabledReason: described(
    orNull(oneOf(DISABLED_REASONS)),
    "Person: somebody of the team did it, and only a person undoes it.",
  ),
  secrets: described(
    list(record({ secretId: id, createdAt: time, notAfter: orNull(time) })),
    "In force, newest first; one with notAfter was replaced and signs until then. Never the text of a secret.",
  ),
  activity: described(
    orNull(activity),
    "Some seconds old; null without an endpoint, and while the delivery service does not answer.",
  ),
});
export type EndpointView = Answer<typeof endpointValue>;

export const registerValue = record({ url: uri, webhookSecret: issuedSecret, message });
export type Registration = Answer<typeof registerValue>;

export const replaceUrlValue = record({ webhookSecret: issuedSecret, message });
export const rotateValue = record({ webhookSecret: secret, previousSecretExpiresAt: time, message });
export type Rotation = Answer<typeof rotateValue>;

export const enableValue = record({
  status: always("Active"),
  skipped: count,
  suggestedReplay: orNull(record({ from: time, to: time })),
});
export type Enabling = Answer<typeof enableValue>;
