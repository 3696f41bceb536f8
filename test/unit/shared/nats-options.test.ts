import { expect, test } from "@jest/globals";
import { natsOptions } from "../../../shared/jetstream/nats-options.ts";

/** A link that is dead without a word shows within ten seconds, and is left as soon. */
const NOTICED_WITHIN_MS = 10_000;

test.each(["rpc", "jetstream"] as const)(
  "a connection for %s that the network forgot is left in time",
  (use) => {
    const { pingInterval, maxPingOut } = natsOptions(
      {
        natsUrl: "nats://127.0.0.1:4222",
        natsUser: "",
        natsPassword: "",
        natsStreamsUser: "",
        natsStreamsPassword: "",
        natsCaFile: "",
        process: "delivery",
      },
      use,
    );
    expect(pingInterval * (maxPingOut + 1)).toBeLessThanOrEqual(NOTICED_WITHIN_MS);
  },
);
