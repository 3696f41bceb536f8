/** Why a request did not come to an answer. */
import type { AttemptErrorKind } from "./attempt-outcome.rules.ts";

type ConnectFaultKind =
  | Extract<AttemptErrorKind, "Dns" | "Connect" | "Tls" | "Timeout" | "UrlNotPublic">
  | "Own";

export class ConnectFault extends Error {
  readonly kind: ConnectFaultKind;
  constructor(kind: ConnectFaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ConnectFault";
    this.kind = kind;
  }
}

/** The attempt ran out of time. */
export class AttemptTimeout extends Error {
  override readonly name = "AttemptTimeout";
}

/** Our own fault: the attempt says nothing about the receiver and must not be counted. */
export class AttemptAborted extends Error {
  override readonly name = "AttemptAborted";
}

/** This machine is out of descriptors, memory or ports; the receiver did nothing wrong. */
const OWN_CODES = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"]);

export const isOwnFault = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.length > 0 && error.errors.every(isOwnFault)
    : error instanceof Error && "code" in error && OWN_CODES.has(String(error.code));

/** The receiver closed a kept connection just as we used it: not an answer, so the request may go out once more. */
const BROKEN_CODES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

export const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && BROKEN_CODES.has(String(error.code));
