/**
 * The one error class whose message a caller may see. It crosses process boundaries as plain data (name, code, type,
 * data) and loses its class, so check `type`, never instanceof.
 */
import { ERROR_CODES, type ErrorCode } from "./contract/error-codes.ts";

/** The code of most violations. */
export const INVALID = "ValidationControl.Error";

/** `code` is one of the contract; `rule` says which rule it is about, where there is a name for it. */
export type Violation = { field: string; code: string; message: string; rule?: string };

/** A warning as a refusal: the code of the contract, and what was found as its rule. */
export const asViolation = ({ field, code: rule, message }: Violation): Violation => ({
  field,
  code: INVALID,
  message,
  rule,
});

export type ErrorExtras = {
  details?: readonly Violation[];
  /** For the log only. */
  cause?: unknown;
  retryAfterSeconds?: number;
  headers?: Readonly<Record<string, string>>;
};

type ErrorData = {
  details?: readonly Violation[];
  retryAfterSeconds?: number;
  headers?: Readonly<Record<string, string>>;
};

const NAME = "AppError";

export class AppError extends Error {
  /** HTTP status; Moleculer carries it between processes under this name. */
  readonly code: number;
  readonly type: ErrorCode;
  readonly data: ErrorData;
  /** Read by Moleculer's retry policy. */
  readonly retryable: boolean;

  constructor(type: ErrorCode, message: string, extras: ErrorExtras = {}, status?: number) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = NAME;
    this.type = type;
    this.code = status ?? ERROR_CODES[type];
    this.retryable = false;
    this.data = {
      ...(extras.details ? { details: extras.details } : {}),
      ...(extras.retryAfterSeconds ? { retryAfterSeconds: extras.retryAfterSeconds } : {}),
      ...(extras.headers ? { headers: extras.headers } : {}),
    };
  }
}

/** True for an AppError, even after it crossed a process boundary. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === NAME && "type" in error && "code" in error;

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "type" in error && typeof error.type === "string" ? error.type : undefined;

export const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError("Service.Unavailable", `${what} cannot be reached at the moment; try again shortly.`, {
    cause,
    retryAfterSeconds: 1,
  });

/**
 * A change was asked for and no answer came: it may have been made. The gateway adds how to find out. Without
 * Retry-After, which clients follow by themselves.
 */
export const outcomeUnknown = (cause?: unknown): AppError =>
  new AppError("Service.OutcomeUnknown", "No answer came in time; this may have been done or not.", {
    cause,
  });
