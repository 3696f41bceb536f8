/** An event that is already stored, from the outbox to the consumer. */
import { eventToConsumer } from "./event-to-consumer.ts";

export const bench = eventToConsumer({
  name: "outbox event to consumer",
  workload: "outbox and pull consumer",
  floor: {
    name: "bare JetStream publish and consume",
    fairBecause:
      "the same body over the same server, acknowledged by both; no outbox, no deduplication, no batches",
    measure: "rate",
  },
  commits: false,
  concurrency: 64,
});
