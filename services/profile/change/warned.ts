/** What a use case did, and what of it was probably not meant. */
import type { Violation } from "../../../shared/errors.ts";

export type Warned<T> = { value: T; warnings: readonly Violation[] };
