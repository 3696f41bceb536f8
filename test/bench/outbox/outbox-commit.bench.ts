/** From a change to its event at the consumer, with the write and the confirmation. */
import { eventToConsumer } from "./event-to-consumer.ts";

export const bench = eventToConsumer({
  name: "committed change to consumer",
  workload: "majority write, outbox, consumer, confirmation",
  floor: {
    name: "the same write and bare JetStream",
    fairBecause:
      "the same write concern and the same server; the event is not kept in the record, nor confirmed",
    measure: "rate",
  },
  commits: true,
});
