/** Errors whose message a caller may see. Between processes the class is lost: check `type`, never instanceof. */
import { ERROR_CODES, type ErrorCode } from "./contract/error-codes.ts";

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

const NAME = "AppError";

export class AppError extends Error {
  /** HTTP status; Moleculer carries it between processes under this name. */
  readonly code: number;
  readonly type: ErrorCode;
  readonly data: Omit<ErrorExtras, "cause">;
  /** Read by Moleculer's retry policy. */
  readonly retryable: boolean;

  constructor(type: ErrorCode, message: string, { cause, ...data }: ErrorExtras = {}, status?: number) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = NAME;
    this.type = type;
    this.code = status ?? ERROR_CODES[type][0];
    this.retryable = false;
    this.data = data;
  }
}

/** True for an AppError, even after it crossed a process boundary. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === NAME && "type" in error && "code" in error;

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "type" in error && typeof error.type === "string" ? error.type : undefined;

export const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError("Service.Unavailable", `${what} cannot be reached at the moment. Try again shortly.`, {
    cause,
    retryAfterSeconds: 1,
  });

/** A change without an answer: it may have been made. Without Retry-After, which clients follow by themselves. */
export const outcomeUnknown = (cause?: unknown): AppError =>
  new AppError(
    "Service.OutcomeUnknown",
    "No answer arrived in time. The change may or may not have been made.",
    {
      cause,
    },
  );
