/** The replay that makes up for the time an endpoint was disabled. */
import { EVENT_RETENTION_MS, REPLAY_WINDOW_MS } from "../../shared/contract/durations.ts";

/** The suggestion must still be valid when a person has read it. */
const MARGIN_MS = 60 * 60 * 1_000;

/** Oldest first: of an outage longer than a window the events nearest to their expiry come first. */
export function suggestReplay(missedSince: Date, now: Date): { from: string; to: string } {
  const from = Math.max(missedSince.getTime(), now.getTime() - EVENT_RETENTION_MS + MARGIN_MS);
  const to = Math.min(now.getTime(), from + REPLAY_WINDOW_MS);
  return { from: new Date(from).toISOString(), to: new Date(Math.max(to, from + 1)).toISOString() };
}
