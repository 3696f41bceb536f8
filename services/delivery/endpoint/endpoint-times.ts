/**
 * Remembers when endpoints last succeeded and failed. Gathered in memory and stored every few seconds, because every
 * attempt has such a time; a process that dies loses the last ones, which are for people to look at.
 */
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { EndpointTimesRepository, Times } from "./endpoint-times.repository.ts";

type Deps = {
  times: Pick<EndpointTimesRepository, "store">;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
};

type EndpointTimesKeeper = Pick<PollLoop, "start" | "stop"> & {
  note(endpointId: string, ok: boolean, atMs: number): void;
};

const STORE_EVERY_MS = 2_000;

export function createEndpointTimes({ times, lanes, logger }: Deps): EndpointTimesKeeper {
  let unstored = new Map<string, Times>();
  const onError = (err: unknown) => logger.warn({ err }, "endpoint.times_not_stored");

  async function store(): Promise<void> {
    if (unstored.size === 0) return;
    const some = unstored;
    unstored = new Map();
    await times.store(some);
  }
  const loop = createPollLoop({
    lane: lanes.lane("endpoint times"),
    round: store,
    everyMs: STORE_EVERY_MS,
    onError,
  });

  return {
    note(endpointId, ok, atMs) {
      const at = new Date(atMs);
      const known = unstored.get(endpointId);
      const now = ok ? { lastSuccessAt: at } : { lastFailureAt: at };
      unstored.set(endpointId, { ...known, ...now });
    },
    start: loop.start,
    async stop() {
      await loop.stop();
      await store().catch(onError);
    },
  };
}
