/** A row for events on their way from an outbox to a consumer, beside JetStream alone. */

import { openBareJetStream } from "../floors/bare-jetstream.ts";
import { anEvent } from "../frame/an-event.ts";
import { arrivals, runInFlight } from "../frame/in-flight.ts";
import { type BenchSpec, DEFAULTS, type FloorFacts } from "../frame/spec.ts";
import { openOurPath } from "./our-path.ts";

type Row = {
  name: string;
  workload: string;
  floor: FloorFacts;
  /** With the write that the event comes from, on both sides, and the confirmation that it was recorded. */
  commits: boolean;
  concurrency?: number;
};

export function eventToConsumer({ name, workload, floor, commits, concurrency }: Row): BenchSpec {
  return {
    name,
    issue: 2,
    concurrency: concurrency ?? DEFAULTS.concurrency,
    async setup(env) {
      const ours = await openOurPath(env, { confirms: commits });
      const atBare = arrivals();
      const bare = await openBareJetStream(env, (body) => atBare.arrived(JSON.parse(body).eventId));
      const commit = async (outbox: object[]) => {
        if (commits) await ours.collection.insertOne({ name: "bench", outbox });
      };
      return {
        workload: {
          name: workload,
          run: (window) =>
            runInFlight(window, async () => {
              const event = anEvent();
              const arrival = ours.wait(event.eventId);
              await commit([event]);
              ours.outbox.publish([event]);
              await arrival;
            }),
        },
        floors: [
          {
            ...floor,
            run: (window) =>
              runInFlight(window, async () => {
                const event = anEvent();
                const arrival = atBare.wait(event.eventId);
                await commit([]);
                await bare.publish(event.body);
                await arrival;
              }),
          },
        ],
      };
    },
  };
}
