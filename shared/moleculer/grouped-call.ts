import { AppError } from "../errors.ts";
import type { CallMeta } from "../identity/caller.ts";
import type { HttpParams } from "./http-params.ts";

/** One of several requests that travel in one call; each has its own caller and gets its own answer. */
export type GroupedRequest = { params: HttpParams; meta: CallMeta };
export type GroupedAnswer = {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** In place of a body: the gateway shapes it as it does every error. */
  error?: PlainError;
};

type PlainError = Pick<AppError, "type" | "code" | "message" | "data">;

export const toPlainError = ({ type, code, message, data }: AppError): PlainError => ({
  type,
  code,
  message,
  data,
});

export const fromPlainError = ({ type, code, message, data }: PlainError): AppError =>
  new AppError(type, message, data, code);
