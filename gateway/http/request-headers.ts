/** The request headers that actions are told; a value that means nothing is refused by name. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";

export function readHeaders({ headers }: Pick<IncomingMessage, "headers">): HttpParams["headers"] {
  return {
    ifMatch: headers["if-match"] ?? null,
    hasAuthorization: headers.authorization !== undefined,
    isStrict: readFlag("Svc-Strict", headers["svc-strict"]),
  };
}

function readFlag(name: string, value: string | string[] | undefined): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refusedHeader(name, "must be true or false");
}

const refusedHeader = (field: string, message: string): AppError =>
  new AppError("ValidationControl.Error", `${field}: ${message}`, {
    details: [{ field, code: "ValidationControl.Error", message, rule: "Header.Invalid" }],
  });
