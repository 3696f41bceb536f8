/** Time as a port, so that rules about hours and days can be tested in milliseconds. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

export const isoTime = (clock: Clock): string => new Date(clock.now()).toISOString();
