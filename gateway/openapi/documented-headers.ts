/** The headers in the API document: what a caller may send, and what an answer carries. */

import { count, described, type JsonSchema, oneOf, text } from "../../shared/contract/answer-schema.ts";
import { IDEMPOTENCY_HOURS } from "../../shared/contract/durations.ts";
import { isChange, takesKey } from "../route.ts";
import type { DocumentedRoute } from "./documented-routes.ts";

const quoted = { ...text, pattern: '^"\\d+"$' };

const ANSWER_HEADERS = {
  SvcRequestId: [
    "Svc-Request-Id",
    described(text, "Id of this request in our logs; quote it when you ask for help."),
  ],
  RateLimitLimit: ["RateLimit-Limit", described(count, "Requests permitted per minute.")],
  RateLimitRemaining: ["RateLimit-Remaining", described(count, "Remaining requests of this minute.")],
  RateLimitReset: ["RateLimit-Reset", described(count, "Seconds until the next minute begins.")],
  RetryAfter: ["Retry-After", described(count, "Seconds to wait before the next try.")],
  ETag: ["ETag", described(quoted, "The version of the customer.")],
  AnswerTag: ["ETag", described(text, "Tag of exactly this answer, for If-None-Match.")],
  Replayed: [
    "Idempotent-Replayed",
    described(oneOf(["true"]), "true when this is the stored answer to the first request with this key."),
  ],
  Deprecation: [
    "Deprecation",
    described(
      text,
      "Sent when the request used a deprecated property: the time of its deprecation (RFC 9745).",
    ),
  ],
  Challenge: ["WWW-Authenticate", described(text, "How to authenticate (RFC 9110, 11.6.1).")],
  SetCookie: ["Set-Cookie", described(text, "Sets or removes the session cookie.")],
} as const;
type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** For components.headers: those that these answers refer to. */
export function headerComponents(paths: object): JsonSchema {
  const used = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .filter(([key]) => used.includes(`"${referenceTo(key)}"`))
      .map(([key, [, { description, ...schema }]]) => [key, { description, schema }]),
  );
}

const referenceTo = (key: string): string => `#/components/headers/${key}`;

const references = (names: readonly AnswerHeader[]): JsonSchema => ({
  headers: Object.fromEntries(names.map((name) => [ANSWER_HEADERS[name][0], { $ref: referenceTo(name) }])),
});

/** A conflict can be with a request that is under way. */
const RETRIED: ReadonlySet<number> = new Set([409, 429, 503]);

export function answerHeaders(route: DocumentedRoute, status: number): JsonSchema {
  const { doc, limit, auth, cached } = route;
  // Refused callers are counted by address.
  const isCounted = limit !== "none" || auth !== "none";
  const isChallenged = status === 401 || (status === 403 && auth === "partner");
  return references([
    "SvcRequestId",
    ...(isCounted ? (["RateLimitLimit", "RateLimitRemaining", "RateLimitReset"] as const) : []),
    ...(isChallenged ? (["Challenge"] as const) : []),
    ...(RETRIED.has(status) ? (["RetryAfter"] as const) : []),
    ...(status === 200 && doc.hasVersion ? (["ETag"] as const) : []),
    ...(status < 400 && cached ? (["AnswerTag"] as const) : []),
    ...(status === 200 && takesKey(route) ? (["Replayed"] as const) : []),
    ...(status === 200 ? (doc.headers ?? []) : []),
  ]);
}

const REQUEST_ID = {
  name: "Svc-Request-Id",
  description:
    "Your own id for this request: 1 to 64 letters, digits and . _ : -. Any other value is replaced by our own id.",
  schema: text,
};
const IF_MATCH = {
  name: "If-Match",
  description: "The ETag of the version that you read. The call fails if the customer was changed since.",
  schema: text,
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  description: "The ETag of your copy of the answer. An unchanged answer is not sent again.",
  schema: text,
};

const STRICT = {
  name: "Svc-Strict",
  description: "With true, every warning becomes an error, and nothing is changed.",
  schema: oneOf(["true", "false"]),
};

const SANDBOX = {
  name: "Svc-Sandbox",
  description: "With true, the request is for the sandbox of the partner.",
  schema: oneOf(["true", "false"]),
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  description: `Your own key for this POST. The same request with the same key within ${IDEMPOTENCY_HOURS} hours gets the first answer, with Idempotent-Replayed: true, and nothing is done twice. Use a new key for each request: another request with the key gets Idempotency.KeyReused. A refused request does not use up its key.`,
  schema: { ...text, pattern: "^[!-~]{1,255}$" },
};

export function requestHeaders(route: DocumentedRoute): JsonSchema[] {
  const { doc, envelope, body, auth } = route;
  const headers = [
    REQUEST_ID,
    ...((doc.hasVersion || doc.takesVersion) && isChange(route) ? [IF_MATCH] : []),
    ...(route.cached ? [IF_NONE_MATCH] : []),
    ...(takesKey(route) ? [IDEMPOTENCY_KEY] : []),
    ...(auth === "user" ? [SANDBOX] : []),
    ...(envelope === "partner" && isChange(route) && body === "json" ? [STRICT] : []),
  ];
  return headers.map((header) => ({
    in: "header",
    required: false,
    ...header,
  }));
}
