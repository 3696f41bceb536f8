/**
 * The reason an operator gives for an erasure is kept with no expiry, so it is a reference to the request and no free text:
 * the tombstone must not say again what was erased.
 */
import { AppError, INVALID } from "../../../shared/errors.ts";

const REFERENCE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._:#/-]{0,63}$/;

export function readErasureReference(reason: unknown): string {
  if (typeof reason === "string" && REFERENCE.test(reason)) return reason;
  throw new AppError(
    INVALID,
    "The reason must be the reference of the request, such as ticket-4711: at most 64 letters, digits and . _ : # / -, with a digit and without spaces. It is kept after the erasure.",
  );
}
