import { poll, type Truthy } from "../../deploy/local/poll.ts";

export type WaitOptions = { timeoutMs?: number; everyMs?: number; what: string };

/** Only says what never came; no promise about time is checked by it. */
const TIMEOUT_MS = 240_000;

/** Waits until the condition gives something truthy, and returns it; a throwing condition counts as not yet. */
export const waitFor = <T>(
  condition: () => T | Promise<T>,
  { timeoutMs = TIMEOUT_MS, ...rest }: WaitOptions,
): Promise<Truthy<T>> => poll(condition, { withinMs: timeoutMs, ...rest });
