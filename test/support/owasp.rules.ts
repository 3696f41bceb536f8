/** Findings of the OWASP rules that are no fault here. A new finding needs a row with its reason, or a repair. */
export type Finding = { code: string; path: string };

type Exception = { rules: readonly string[]; paths?: RegExp; because: string };

const LIMITS = ["array-limit", "string-limit", "string-restricted", "integer-limit", "integer-format"];

const EXCEPTIONS: readonly Exception[] = [
  {
    rules: LIMITS,
    paths: /^(components|webhooks)\/|\/responses\//,
    because:
      "limits protect the gateway from callers; an answer needs none, and a request is reported by path",
  },
  {
    rules: ["string-limit", "string-restricted", "integer-limit"],
    paths: /\/parameters\/\d+\/schema$/,
    because: "the URL and all headers together have at most 16 KiB",
  },
  { rules: ["integer-format"], because: "a maximum says more than int32 or int64" },
  {
    rules: ["string-restricted"],
    paths: /\/requestBody\//,
    because: "free text has a length: without one, string-limit reports it",
  },
  {
    rules: ["string-limit"],
    paths:
      /\/oauth2\/token\/.*\/(client_assertion|client_id|scope)$|\/webhooks\/replay\/.*\/(eventType|from|to)$/,
    because: "only one value is accepted, or few, and a longer body is refused unread",
  },
  {
    rules: ["string-limit"],
    paths:
      /\{businessProfileId\}\/(patch|put)\/.*\/(businessDocumentIdList\/items|partnerCustomerId|customerId|uboId)$/,
    because: "ignored, or compared with an id that exists",
  },
  { rules: ["array-limit"], paths: /\/ownershipType$/, because: "an enumeration, without duplicates" },
  {
    rules: ["define-cors-origin"],
    because: "no page of another origin may call the API, so no answer has this header",
  },
  {
    rules: ["inventory-access"],
    because: "an installation has one server, for the audience of its document",
  },
  {
    rules: ["write-restricted", "read-restricted", "define-error-responses-401"],
    paths:
      /^paths\/\/(oauth2\/(token|jwks)|\.well-known\/oauth-authorization-server|api\/ping|api\/customer\/v1\/session(\/invitation)?)\//,
    because: "a caller needs them to sign in",
  },
  {
    rules: ["rate-limit", "rate-limit-responses-429", "define-error-validation"],
    paths: /^paths\/\/(oauth2\/jwks|\.well-known\/oauth-authorization-server|api\/ping)\//,
    because: "public, the same for all callers, and without input",
  },
  {
    rules: ["short-lived-access-tokens"],
    because: "RFC 6749 4.4.3: client credentials get no refresh token; an access token is valid for 300 s",
  },
  {
    rules: ["jwt-best-practices"],
    because: "RFC 8725 is for those who verify the token, and a partner passes it on unread",
  },
];

/** Findings without an exception, and exceptions without a finding. */
export function judgedFindings(found: readonly Finding[]): string[] {
  const restricted = new Set(
    found.filter(({ code }) => code === "string-restricted").map(({ path }) => path),
  );
  // A pattern or a format bounds a string as a length does.
  const counted = found.filter(({ code, path }) => code !== "string-limit" || restricted.has(path));
  const used = new Set<Exception>();
  const open = counted.filter(({ code, path }) => {
    const exception = EXCEPTIONS.find(
      ({ rules, paths }) => rules.includes(code) && (paths?.test(path) ?? true),
    );
    if (exception) used.add(exception);
    return !exception;
  });
  const stale = EXCEPTIONS.filter((exception) => !used.has(exception));
  return [
    ...open.map(({ code, path }) => `${code} ${path}`),
    ...stale.map(({ because }) => `no finding needs the exception: ${because}`),
  ];
}
