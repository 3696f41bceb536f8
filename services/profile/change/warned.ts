/** Result of a use case, its warnings, and whether an earlier request with the same key produced it. */
import type { Violation } from "../../../shared/errors.ts";

export type Warned<T> = { value: T; warnings: readonly Violation[]; isReplay?: boolean };
