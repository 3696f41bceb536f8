/** An event that is already stored, from the outbox to the consumer. */
import { eventToConsumer } from "./event-to-consumer.ts";

export const bench = eventToConsumer({
  name: "outbox event to consumer",
  workload: "outbox and pull consumer",
  floor: {
    name: "bare JetStream publish and consume",
    fairBecause:
      "the same body over the same server, acknowledged by both; a message for each event, where the outbox sends those that leave together in one",
    measure: "rate",
  },
  commits: false,
  concurrency: 64,
});
