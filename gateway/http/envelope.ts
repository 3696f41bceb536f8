/** The envelopes of answers and errors. */
import type { AppError, Violation } from "../../shared/errors.ts";
import type { Route } from "../route.ts";

type EnvelopeKind = Route["envelope"];

/** Warnings are next to the value, and absent when there are none. */
export function successBody(
  kind: EnvelopeKind,
  value: unknown,
  warnings: readonly Violation[] = [],
): unknown {
  if (kind === "plain") return value;
  if (kind === "dashboard") return { value: value ?? null, isSuccess: true, error: null };
  return {
    isSuccess: true,
    ...(value === undefined || value === null ? {} : { value }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

export function errorBody(
  kind: EnvelopeKind,
  error: AppError,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
): unknown {
  const details = error.data.details ?? [];
  const docsUrl = `${baseUrl}/docs/errors#${error.type}`;
  if (kind === "plain") return { error: oauthCode(error.code), error_description: error.message };
  if (kind === "dashboard")
    return {
      value: null,
      isSuccess: false,
      error: { code: error.type, description: error.message, requestId, details, docsUrl },
    };
  return {
    isSuccess: false,
    error: { code: error.type, message: error.message, requestId, details, docsUrl },
  };
}

/** RFC 6749 has few codes; the HTTP status says the rest. */
export const oauthCode = (status: number): string =>
  status >= 500 || status === 429 ? "temporarily_unavailable" : "invalid_request";
