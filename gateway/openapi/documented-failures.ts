/** The failures of a route in the API document. */
import type { JsonSchema } from "../../shared/contract/answer-schema.ts";
import { ERROR_CODES, type ErrorCode } from "../../shared/contract/error-codes.ts";
import { oauthCode } from "../http/envelope.ts";
import { isChange, type Route, takesKey } from "../route.ts";
import { ERROR_SCHEMAS } from "./documented-errors.ts";
import { answerHeaders } from "./documented-headers.ts";
import type { DocumentedRoute } from "./documented-routes.ts";

/** Codes by status: those that the documentation names, and those that every such route can give. */
export function failureCodes(route: DocumentedRoute): Map<number, string[]> {
  const { errors = [], missing = [], failures = {} } = route.doc;
  const pairs = [
    ...[...errors, ...commonErrors(route)].map((code) => [ERROR_CODES[code][0], code] as const),
    ...missing.map((code) => [404, code] as const),
  ];
  const byStatus = Map.groupBy(pairs, ([status]) => status);
  const codes = [...byStatus].map(([status, sameStatus]) => {
    const all = sameStatus.map(([, code]) => (route.envelope === "plain" ? oauthCode(status) : code));
    return [status, [...new Set(all)]] as const;
  });
  const own = Object.entries(failures).map(([status, text]) => [Number(status), text.split(", ")] as const);
  return new Map([...codes, ...own].map(([status, names]) => [status, [...names]]));
}

export function documentedFailures(route: DocumentedRoute): JsonSchema {
  const schema = { $ref: `#/components/schemas/${ERROR_SCHEMAS[route.envelope]}` };
  const examplesOf = (codes: readonly string[]) =>
    Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return Object.fromEntries(
    [...failureCodes(route)].map(([status, codes]) => [
      status,
      {
        description: codes.join(", "),
        ...answerHeaders(route, status),
        content: { "application/json": { schema, examples: examplesOf(codes) } },
      },
    ]),
  );
}

function commonErrors(route: Route): ErrorCode[] {
  return [
    ...admissionErrors(route),
    ...(route.body === "none" ? [] : (["Request.TooLarge", "Request.MediaTypeUnsupported"] as const)),
    ...(route.body === "json" ? [route.malformedCode ?? "ValidationControl.Error"] : []),
    // A query parameter that the route does not know.
    ...(route.envelope === "plain" ? [] : (["ValidationControl.Error"] as const)),
    ...(takesKey(route)
      ? (["Idempotency.InProgress", "Idempotency.KeyReused", "Customer.Erased"] as const)
      : []),
    ...(route.limit === "none" && route.auth === "none" ? [] : (["Request.RateLimited"] as const)),
    "Service.Error",
    route.unavailableCode ?? "Service.Unavailable",
    ...(isChange(route) ? (["Service.OutcomeUnknown"] as const) : []),
  ];
}

const PARTNER_STATES = ["Partner.Inactive", "Partner.OnboardingNotApproved"] as const;

/** Errors of the gatekeeper. */
function admissionErrors({ auth, method, openToInactivePartner, fresh }: Route): ErrorCode[] {
  const ofTheSession = [
    ...(method === "GET" ? [] : (["Request.CrossSite"] as const)),
    ...(fresh ? (["Session.FreshSignInRequired"] as const) : []),
  ];
  switch (auth) {
    case "partner":
      return ["Partner.NotAuthenticated", "Partner.InsufficientScope", "Partner.Inactive"];
    case "user":
      return [
        ...(["Partner.NotAuthenticated", "Partner.InsufficientRole", "Session.SecondFactorMissing"] as const),
        ...(openToInactivePartner ? [] : PARTNER_STATES),
        // With the header Svc-Sandbox.
        ...(["Sandbox.NotFound", "Validation"] as const),
        ...ofTheSession,
      ];
    case "analyst":
      return [
        ...(["Partner.NotAuthenticated", "Partner.InsufficientRole", "Session.SecondFactorMissing"] as const),
        ...ofTheSession,
      ];
    case "session":
      return ["Partner.NotAuthenticated", ...ofTheSession];
    case "none":
      return [];
  }
}
