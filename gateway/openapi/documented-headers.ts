/** The headers in the API document: what a caller may send, and what an answer carries. */
import { count, described, type JsonSchema, oneOf, text } from "../../shared/answer-schema.ts";
import { isChange, takesKey } from "../route.ts";
import type { DocumentedRoute } from "./documented-routes.ts";

const quoted = { ...text, pattern: '^"\\d+"$' };

const ANSWER_HEADERS = {
  SvcRequestId: [
    "Svc-Request-Id",
    described(text, "Names this request in the logs; quote it when you ask for help."),
  ],
  RateLimitLimit: ["RateLimit-Limit", described(count, "Requests in a minute.")],
  RateLimitRemaining: ["RateLimit-Remaining", described(count, "Requests that are left of this minute.")],
  RateLimitReset: ["RateLimit-Reset", described(count, "Seconds until the next minute begins.")],
  RetryAfter: ["Retry-After", described(count, "Seconds to wait before the next try.")],
  ETag: ["ETag", described(quoted, "The version of the customer.")],
  AnswerTag: ["ETag", described(text, "Names exactly this answer, for If-None-Match.")],
} as const;
type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** For components.headers: those that the answers of these routes refer to. */
export function headerComponents(routes: readonly DocumentedRoute[]): JsonSchema {
  const unused = [
    ...(routes.some(({ doc }) => doc.hasVersion) ? [] : ["ETag"]),
    ...(routes.some(({ cached }) => cached) ? [] : ["AnswerTag"]),
  ];
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .filter(([key]) => !unused.includes(key))
      .map(([key, [, { description, ...schema }]]) => [key, { description, schema }]),
  );
}

const references = (names: readonly AnswerHeader[]): JsonSchema => ({
  headers: Object.fromEntries(
    names.map((name) => [ANSWER_HEADERS[name][0], { $ref: `#/components/headers/${name}` }]),
  ),
});

export function answerHeaders(route: DocumentedRoute, status: number): JsonSchema {
  // A caller who is not authenticated has no budget; on an open route the address has one.
  const isCounted = route.limit !== "none" && (route.auth === "none" || status !== 401);
  return references([
    "SvcRequestId",
    ...(isCounted ? (["RateLimitLimit", "RateLimitRemaining", "RateLimitReset"] as const) : []),
    ...(status === 429 || status === 503 ? (["RetryAfter"] as const) : []),
    ...(status === 200 && route.doc.hasVersion ? (["ETag"] as const) : []),
    ...(status < 400 && route.cached ? (["AnswerTag"] as const) : []),
  ]);
}

const REQUEST_ID = {
  name: "Svc-Request-Id",
  description: "A name of your own for this request; another one is given when it is not of this form.",
  schema: { ...text, pattern: "^[A-Za-z0-9._:-]{1,64}$" },
};
const IF_MATCH = {
  name: "If-Match",
  description: "The ETag of the version you read: the call fails when the customer has another one by now.",
  schema: quoted,
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  description: "The ETag of the answer you have: it is not sent again while it is the same.",
  schema: text,
};

const STRICT = {
  name: "Svc-Strict",
  description: "With true, whatever would be a warning is an error and nothing is changed.",
  schema: oneOf(["true", "false"]),
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  description:
    "A name of your own for this POST. Sent again within 24 hours it gets the first answer, with Idempotent-Replayed: true, and nothing happens twice. Use it for one request only: on another route it is Idempotency.KeyReused. A refused request leaves it unused.",
  schema: { ...text, pattern: "^[!-~]{1,255}$" },
};

export function requestHeaders(route: DocumentedRoute): JsonSchema[] {
  const { doc, envelope, body } = route;
  const headers = [
    REQUEST_ID,
    ...((doc.hasVersion || doc.takesVersion) && isChange(route) ? [IF_MATCH] : []),
    ...(route.cached ? [IF_NONE_MATCH] : []),
    ...(takesKey(route) ? [IDEMPOTENCY_KEY] : []),
    ...(envelope === "partner" && isChange(route) && body === "json" ? [STRICT] : []),
  ];
  return headers.map((header) => ({
    in: "header",
    required: false,
    ...header,
  }));
}
