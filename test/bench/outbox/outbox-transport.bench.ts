import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { openBareJetStream } from "./bare-jetstream.ts";
import { anEvent, openOurPath } from "./our-path.ts";

const BARE = "bare JetStream publish and consume";

export const bench: BenchSpec = {
  name: "outbox event to consumer",
  issue: 2,
  concurrency: 64,
  async setup(env) {
    const [ours, bare] = [await openOurPath(env, { confirms: false }), await openBareJetStream(env)];
    return {
      workload: {
        name: "outbox and pull consumer",
        run: (window) =>
          runInFlight(window, async () => {
            const event = anEvent();
            const arrival = ours.wait(event.eventId);
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
