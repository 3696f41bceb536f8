/** What a use case did, what of it was probably not meant, and whether it was done by an earlier request with the same key. */
import type { Violation } from "../../../shared/errors.ts";

export type Warned<T> = { value: T; warnings: readonly Violation[]; isReplay?: boolean };
