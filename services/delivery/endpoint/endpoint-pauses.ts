/** Pauses of endpoints that answered Retry-After: in force here, and stored for the next owner of their partition. */
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { EndpointState } from "./endpoint-state.model.ts";
import type { EndpointStateRepository } from "./endpoint-state.repository.ts";

export type EndpointPauses = ReturnType<typeof createEndpointPauses>;

type Deps = { states: Pick<EndpointStateRepository, "pause">; clock: Clock; logger: Logger };

export function createEndpointPauses({ states, clock, logger }: Deps) {
  const paused = new Map<string, number>();
  const extend = (endpointId: string, untilMs: number) =>
    paused.set(endpointId, Math.max(untilMs, paused.get(endpointId) ?? 0));

  return {
    /** In force here immediately. Never rejects, because an attempt that was made must be recorded. */
    async pause(endpoint: PartitionedEndpoint, untilMs: number): Promise<void> {
      const { endpointId } = endpoint;
      extend(endpointId, untilMs);
      try {
        await states.pause(endpoint, untilMs);
      } catch (err) {
        logger.warn({ err, endpointId }, "endpoint.pause_not_stored");
      }
    },
    /** null when the endpoint may be called. */
    until(endpointId: string): number | null {
      const untilMs = paused.get(endpointId);
      return untilMs !== undefined && untilMs > clock.now() ? untilMs : null;
    },
    refresh(all: readonly EndpointState[]): void {
      const now = clock.now();
      for (const [endpointId, untilMs] of paused) if (untilMs <= now) paused.delete(endpointId);
      for (const { _id, pausedUntil } of all) if (pausedUntil) extend(_id, pausedUntil.getTime());
    },
  };
}
