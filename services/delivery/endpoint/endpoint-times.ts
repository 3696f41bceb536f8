/**
 * Keeps when endpoints last succeeded and failed. The times are gathered in memory and stored every two seconds, because
 * every attempt has one. A process that dies loses the last ones, which only the dashboard shows.
 */
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { EndpointStateRepository, OutcomeTimes } from "./endpoint-state.repository.ts";

type Deps = {
  states: Pick<EndpointStateRepository, "storeTimes">;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
};

type EndpointTimesKeeper = Pick<PollLoop, "start" | "stop"> & {
  note(endpointId: string, ok: boolean, atMs: number): void;
};

const STORE_EVERY_MS = 2_000;

export function createEndpointTimes({ states, lanes, logger }: Deps): EndpointTimesKeeper {
  let unstored = new Map<string, OutcomeTimes>();
  const onError = (err: unknown) => logger.warn({ err }, "endpoint.times_not_stored");

  async function store(): Promise<void> {
    if (unstored.size === 0) return;
    const some = unstored;
    unstored = new Map();
    await states.storeTimes(some);
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
