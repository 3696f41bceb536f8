/** Errors of the API; decide on `code`. */
import type { ErrorCode, PartnerError, Violation } from "./types.ts";

export class ApiError extends Error {
  readonly status: number;
  /** A code of the API; a newer server may have more codes than this package. */
  readonly code: ErrorCode | (string & {});
  readonly requestId: string;
  /** Every violation, each with the path to its field. */
  readonly details: readonly Violation[];
  readonly docsUrl: string;

  constructor(status: number, { code, message, requestId, details, docsUrl }: PartnerError["error"]) {
    super(`${code}: ${message}`);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.docsUrl = docsUrl;
  }
}

/** The token endpoint refused the client; the dashboard shows the true reason. */
export class TokenError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(`${code}: ${description}`);
    this.name = "TokenError";
    this.status = status;
    this.code = code;
  }
}

/** No answer, or an answer of something else than the API: a proxy, a time-out, a broken connection. */
export class ConnectionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ConnectionError";
  }
}

/** A redirect would take the token and the body to another address, so it is an error. */
export const redirectOf = ({ status, headers }: Response): ConnectionError | null =>
  status >= 300 && status < 400
    ? new ConnectionError(
        `The answer is a redirect (${status} to ${headers.get("location") ?? "nowhere"}). Redirects are not followed; check baseUrl.`,
      )
    : null;

export function refuseRedirect(response: Response): void {
  const redirect = redirectOf(response);
  if (redirect) throw redirect;
}

/** A webhook that was not signed with the secret, or too long ago. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookError";
  }
}
