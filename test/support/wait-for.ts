import { poll, type Truthy } from "../../deploy/local/poll.ts";

export type WaitOptions = { timeoutMs?: number; everyMs?: number; what: string };

/** A timeout only names the missing condition. It checks no promise about time. */
const TIMEOUT_MS = 240_000;

/**
 * Waits until the condition gives something truthy, and returns it; a throwing condition counts as not yet. The second
 * argument names the condition, or names it together with the times of the wait.
 */
export function waitFor<T>(
  condition: () => T | Promise<T>,
  wanted: string | WaitOptions,
): Promise<Truthy<T>> {
  const { timeoutMs = TIMEOUT_MS, ...rest } = typeof wanted === "string" ? { what: wanted } : wanted;
  return poll(condition, { withinMs: timeoutMs, ...rest });
}
