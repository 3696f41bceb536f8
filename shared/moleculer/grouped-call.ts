/** The messages of a grouped call: several requests in one call, each with its own caller and its own answer. */
import { AppError, type Violation } from "../errors.ts";
import type { CallMeta } from "../identity/caller.ts";
import type { HttpParams } from "./http-params.ts";

export type GroupedRequest = { params: HttpParams; meta: CallMeta };
export type GroupedRequests = { requests: readonly GroupedRequest[] };
export type GroupedAnswer = {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  warnings?: readonly Violation[];
  /** Instead of a body; the gateway renders it like every error. */
  error?: PlainError;
};

export type PlainError = Pick<AppError, "type" | "code" | "message" | "data">;

export const toPlainError = ({ type, code, message, data }: AppError): PlainError => ({
  type,
  code,
  message,
  data,
});

export const fromPlainError = ({ type, code, message, data }: PlainError): AppError =>
  new AppError(type, message, data, code);
