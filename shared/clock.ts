/** The current time as a dependency, so that tests can set it. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

export const isoTime = (clock: Clock): string => isoOf(clock.now());

/** Calls of one moment come together, and to spell it costs as much as to make an id. */
export function isoOf(ms: number): string {
  if (ms !== spelled.ms) spelled = { ms, iso: new Date(ms).toISOString() };
  return spelled.iso;
}

let spelled = { ms: 0, iso: new Date(0).toISOString() };
