/**
 * Removes from customers that stay: stored responses to an Idempotency-Key after a day, and the data of people whom a
 * replacement left out, after their retention. One process does it, once an hour.
 */
import { keptSince } from "../../../shared/idempotency.rules.ts";
import { LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Deps } from "../deps.ts";
import type { FormerPerson, Person } from "../record/profile.types.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const BATCH = 200;

export function createLeftoversSweep(deps: Deps): PollLoop {
  const { erasures, config, clock } = deps;
  /** Start of the last complete pass. */
  let passedAt = Number.NEGATIVE_INFINITY;

  /** True when there are more. */
  async function emptyPeople(now: number): Promise<boolean> {
    const days = config.retentionRemovedPersonDays;
    if (days === 0) return false;
    const since = timeOf(now - days * DAY_MS);
    const found = await erasures.withRemovedPeople(since, BATCH);
    for (const profile of found)
      await erasures.emptyPeople(profile, since, profile.people.filter(isRemovedBy(since)).map(formerPerson));
    return found.length === BATCH;
  }

  return createPollLoop({
    lane: deps.lanes.lane("leftovers", LONG_ROUND_MS),
    everyMs: config.erasureSweepMs,
    async round() {
      const now = clock.now();
      if (!deps.isMine() || now - passedAt < HOUR_MS) return false;
      const answers = await erasures.forgetAnswers(keptSince(now), BATCH);
      const hasMore = (await emptyPeople(now)) || answers === BATCH;
      if (!hasMore) passedAt = now;
      return hasMore;
    },
    onError: (err) => deps.logger.warn({ err }, "leftovers.sweep_failed"),
  });
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const isRemovedBy =
  (since: string) =>
  ({ removedAt }: Person): boolean =>
    removedAt !== null && removedAt <= since;

const formerPerson = ({ uboId, addedAt, removedAt }: Person): FormerPerson => ({ uboId, addedAt, removedAt });
