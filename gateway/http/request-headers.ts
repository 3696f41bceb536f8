/** The request headers that actions receive; a meaningless value is refused by name. */
import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "../../shared/contract/error-codes.ts";
import { AppError } from "../../shared/errors.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type Limit, type Route, takesKey } from "../route.ts";

/** As long as the keys of Stripe; safe for logs and indexes. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export function readHeaders(
  row: Pick<Route, "method" | "auth"> & { limit?: Limit },
  { headers }: Pick<IncomingMessage, "headers">,
): HttpParams["headers"] {
  // The session check has already read it.
  if (row.auth === "user") readFlag("Svc-Sandbox", headers["svc-sandbox"], "Validation");
  return {
    ifMatch: headers["if-match"] ?? null,
    hasAuthorization: headers.authorization !== undefined,
    idempotencyKey: takesKey(row) ? readKey(headers["idempotency-key"]) : null,
    isStrict: readFlag("Svc-Strict", headers["svc-strict"]),
    ...(row.limit === "login" ? readUserAgent(headers["user-agent"]) : {}),
  };
}

function readKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === "string" && KEY.test(value)) return value;
  throw refusedHeader("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
}

function readFlag(name: string, value: string | string[] | undefined, code?: ErrorCode): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refusedHeader(name, "must be true or false", code);
}

const MAX_USER_AGENT = 256;

/** The audit trail shows it to people. */
const readUserAgent = (value = ""): { userAgent?: string } =>
  value === "" ? {} : { userAgent: value.slice(0, MAX_USER_AGENT).replaceAll(/[^\x20-\x7e]/g, "?") };

const refusedHeader = (
  field: string,
  message: string,
  code: ErrorCode = "ValidationControl.Error",
): AppError =>
  new AppError(code, `${field}: ${message}`, {
    details: [{ field, code, message, rule: "Header.Invalid" }],
  });
