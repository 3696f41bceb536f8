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
  "Shown only in this answer; null when the existing secret stays in force.",
);
const message = described(text, "Text for a person.");

const activity = record({
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  pausedUntil: described(orNull(time), "End of the pause that the receiver requested by Retry-After."),
  waiting: described(count, "Unfinished deliveries, counted up to 10,000."),
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
    "Person: a person of the team disabled it, and only a person can enable it.",
  ),
  secrets: described(
    list(record({ secretId: id, createdAt: time, notAfter: orNull(time) })),
    "Secrets in force, newest first. A secret with notAfter was replaced and signs until then. The secrets themselves are not shown.",
  ),
  activity: described(
    orNull(activity),
    "A few seconds old; null without an endpoint, or when the delivery service does not answer.",
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
