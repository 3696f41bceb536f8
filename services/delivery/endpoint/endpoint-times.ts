/** Stores when endpoints last succeeded and failed, every two seconds. A kill loses the latest times, which only the dashboard shows. */
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { EndpointStateRepository, OutcomeTimes } from "./endpoint-state.repository.ts";

type Deps = {
  states: Pick<EndpointStateRepository, "storeTimes">;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
};

const STORE_EVERY_MS = 2_000;

export function createEndpointTimes({ states, lanes, logger }: Deps) {
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
    note(endpointId: string, ok: boolean, atMs: number): void {
      const at = new Date(atMs);
      const latest = ok ? { lastSuccessAt: at } : { lastFailureAt: at };
      unstored.set(endpointId, { ...unstored.get(endpointId), ...latest });
    },
    start: loop.start,
    async stop(): Promise<void> {
      await loop.stop();
      await store().catch(onError);
    },
  };
}
