/** What the webhook endpoint of a partner takes and shows, for the API document. */
import { DISABLED_REASONS, ENDPOINT_STATUSES } from "../../shared/contract/actions/webhook-registry.ts";
import {
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
} from "../../shared/contract/answer-schema.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";

/** For the API document; the URL itself is judged by shared/webhook/webhook-url.ts, which has its own error codes. */
export const endpointBody: ValidationSchema = {
  url: { type: "string", max: 2_048 },
};

const secret = { ...text, pattern: "^whsec_[A-Za-z0-9+/]{43}=$" };
const issuedSecret = described(
  orNull(secret),
  "Shown only when it is issued; null when the secret in force is kept.",
);
const message = described(text, "For the person who reads the answer.");

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
    orNull(
      record({
        lastSuccessAt: orNull(time),
        lastFailureAt: orNull(time),
        pausedUntil: described(orNull(time), "The receiver answered Retry-After."),
        waiting: described(count, "Deliveries that are not finished; counted up to 10,000."),
      }),
    ),
    "Some seconds old; null without an endpoint, and while the delivery service does not answer.",
  ),
});
export const registerValue = record({ url: uri, webhookSecret: issuedSecret, message });
export const replaceUrlValue = record({ webhookSecret: issuedSecret, message });
export const rotateValue = record({ webhookSecret: secret, previousSecretExpiresAt: time, message });
export const enableValue = record({
  status: always("Active"),
  skipped: count,
  suggestedReplay: orNull(record({ from: time, to: time })),
});
