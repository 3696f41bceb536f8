import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { openBareJetStream } from "./bare-jetstream.ts";
import { anEvent, openOurPath } from "./our-path.ts";

const BARE = "the same write and bare JetStream";

export const bench: BenchSpec = {
  name: "committed change to consumer",
  issue: 2,
  async setup(env) {
    const [ours, bare] = [await openOurPath(env, { confirms: true }), await openBareJetStream(env)];
    return {
      workload: {
        name: "majority write, outbox, consumer, confirmation",
        run: (window) =>
          runInFlight(window, async () => {
            const event = anEvent();
            const arrival = ours.wait(event.eventId);
            await ours.collection.insertOne({ name: "bench", outbox: [event] });
            ours.outbox.publish([event]);
            await arrival;
          }),
      },
      floors: [
        {
          name: BARE,
          run: (window) =>
            runInFlight(window, async () => {
              const event = anEvent();
              const arrival = bare.wait(event.eventId);
              await ours.collection.insertOne({ name: "bench", outbox: [] });
              await bare.publish(event.body);
              await arrival;
            }),
        },
      ],
      async teardown() {
        await ours.close();
        await bare.close();
      },
    };
  },
};
