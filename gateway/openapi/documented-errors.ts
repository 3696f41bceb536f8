/** Errors in the API document: their schemas, with every code that a caller of these routes can meet, and an example of each. */
import {
  always,
  described,
  type JsonSchema,
  list,
  named,
  oneOf,
  orNull,
  record,
  text,
  uri,
  withOptional,
} from "../../shared/contract/answer-schema.ts";
import { ERROR_CODES, type ErrorCode } from "../../shared/contract/error-codes.ts";
import { AppError } from "../../shared/errors.ts";
import { errorBody } from "../http/envelope.ts";
import type { Route } from "../route.ts";

type Envelope = Route["envelope"];

export const ERROR_SCHEMAS = {
  partner: "PartnerError",
  dashboard: "DashboardError",
  plain: "OAuthError",
} as const;

/** Given for an address or a method that no route has. */
const EVERYWHERE: readonly ErrorCode[] = ["Route.NotFound", "Request.MethodNotAllowed", "Route.Withdrawn"];

const OAUTH_WORDS = {
  invalid_request: "A parameter is missing, repeated or malformed.",
  invalid_client: "The client could not be authenticated.",
  unsupported_grant_type: "The only supported grant type is client_credentials.",
  invalid_scope: "The only scopes are partner.read and partner.write.",
  temporarily_unavailable: "Try again after Retry-After.",
} as const;

const detail = record({
  field: described(text, "Path of the field, for example businessPersonList[0].nationality."),
  code: text,
  message: text,
});
const violation = named(
  "Violation",
  withOptional(detail, {
    rule: described(text, "The broken rule, if the code covers several."),
    customerId: described(orNull(text), "The customer that already has the reference."),
  }),
);
export const warnings = described(
  list(named("Warning", detail)),
  "Values that were accepted but are probably mistakes; absent when there are none. With Svc-Strict: true they are errors.",
);

export function errorSchema(envelope: Envelope, codes: readonly ErrorCode[]): JsonSchema {
  if (envelope === "plain")
    return named(
      ERROR_SCHEMAS.plain,
      record({ error: named("OAuthErrorCode", oneOf(Object.keys(OAUTH_WORDS))), error_description: text }),
    );
  const shared = {
    requestId: described(text, "Same as Svc-Request-Id."),
    details: list(violation),
    docsUrl: described(uri, "Page with the meaning of the code and its remedy."),
  };
  const code = named("ErrorCode", oneOf([...new Set([...codes, ...EVERYWHERE])].sort()));
  return envelope === "partner"
    ? named(
        ERROR_SCHEMAS.partner,
        record({ isSuccess: always(false), error: record({ code, message: text, ...shared }) }),
      )
    : named(
        ERROR_SCHEMAS.dashboard,
        record({
          value: { type: "null" },
          isSuccess: always(false),
          error: record({ code, description: text, ...shared }),
        }),
      );
}

export function errorExample(envelope: Envelope, code: string, baseUrl: string): JsonSchema {
  if (isOauthCode(code))
    return { summary: code, value: { error: code, error_description: OAUTH_WORDS[code] } };
  const [, meaning] = ERROR_CODES[code as ErrorCode];
  const error = new AppError(code as ErrorCode, meaning);
  return { summary: meaning, value: errorBody(envelope, error, { requestId: REQUEST_ID, baseUrl }) };
}

const isOauthCode = (code: string): code is keyof typeof OAUTH_WORDS => Object.hasOwn(OAUTH_WORDS, code);

const REQUEST_ID = "a39b9839-3988-4025-8a9a-2cef31fa4327";
