/** Takes due attempts from JetStream in two lanes: replays have their own consumer and a smaller budget. */
import type { DeadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type { BatchHandler, Consumption, JetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, type ConsumerSpec } from "../../../shared/jetstream/streams.ts";

type Deps = {
  jetstream: Pick<JetStream, "consume">;
  handler: BatchHandler;
  deadLetters: Pick<DeadLetters, "keep">;
};

/** Messages, each of some attempts; loaded with one query. */
const MAX_BATCH = 40;
/** A message is held from its arrival to the last outcome, which may take the whole deadline of an attempt. */
const MAX_HELD = 1_000;
const MAX_REPLAYS_HELD = 200;
/** Its turn, its request, and a database that is away for a while. */
const HANDLE_WITHIN_MS = 5 * 60_000;

export function consumeAttempts({ jetstream, handler, deadLetters }: Deps): Consumption {
  const consume = (spec: ConsumerSpec, maxHeld: number) =>
    jetstream.consume(
      spec,
      {
        maxBatch: MAX_BATCH,
        maxHeld,
        // A batch stays open as long as its slowest attempt.
        parallelBatches: maxHeld,
        handleWithinMs: HANDLE_WITHIN_MS,
        onPoison: (message, error) => deadLetters.keep(spec.name, message, String(error)),
      },
      handler,
    );
  const lanes = [
    consume(CONSUMERS.deliveryAttempt, MAX_HELD),
    consume(CONSUMERS.deliveryReplay, MAX_REPLAYS_HELD),
  ];
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}
