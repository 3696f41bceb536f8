/** Why a request got no answer. */
import { isIPv6 } from "node:net";
import { types } from "node:util";
import type { AttemptErrorKind } from "../../../shared/contract/vocabularies.ts";

const { isNativeError } = types;

/** A fault of kind Own says nothing about the receiver, and its attempt is not counted. */
export class SendFault extends Error {
  override readonly name = "SendFault";
  readonly kind: Extract<AttemptErrorKind, "Dns" | "Connect" | "Tls" | "Timeout" | "UrlNotPublic"> | "Own";
  constructor(kind: SendFault["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** This machine is out of descriptors, memory or ports; the receiver did nothing wrong. */
const OWN_CODES = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

export const isOwnFault = (error: unknown): boolean => {
  const causes = parts(error);
  return causes.length > 0 ? causes.every(isOwnFault) : OWN_CODES.has(codeOf(error)) || isOutOfPorts(error);
};

/** For an IPv6 address the same code means that this machine has no IPv6, which no retry changes. */
const isOutOfPorts = (error: unknown): boolean =>
  codeOf(error) === "EADDRNOTAVAIL" &&
  !(isNativeError(error) && "address" in error && isIPv6(String(error.address)));

/** The receiver closed a kept connection just as we used it: no answer, so the request may be sent once more. */
const BROKEN_CODES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

export const isBrokenConnection = (error: unknown): boolean => BROKEN_CODES.has(codeOf(error));

/** Our own mistake or stop; any other error with a code comes from the socket or undici's parser. */
const CLIENT_CODES = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
  "UND_ERR_ABORTED",
]);

export const isTransportError = (error: unknown): boolean =>
  isNativeError(error) && "code" in error && !CLIENT_CODES.has(codeOf(error));

// Not instanceof: under jest, errors of Node's core belong to another realm.
const codeOf = (error: unknown): string =>
  isNativeError(error) && "code" in error ? String(error.code) : "";

/** The failures of a connection that was tried at several addresses. */
const parts = (error: unknown): unknown[] =>
  isNativeError(error) && "errors" in error && Array.isArray(error.errors) ? error.errors : [];
