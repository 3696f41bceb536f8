/** The current time as a dependency, so that tests can set it. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

export const isoTime = (clock: Clock): string => new Date(clock.now()).toISOString();
