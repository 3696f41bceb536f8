import { expect, test } from "@jest/globals";
import { natsOptions } from "../../../shared/jetstream/nats-options.ts";

/** Work goes on five seconds after the network forgot a connection; the last half of one is for the next connection. */
const NOTICED_WITHIN_MS = 4_500;

test.each(["rpc", "jetstream"] as const)(
  "a connection for %s that the network forgot is left in time",
  (use) => {
    const accounts = { natsUser: "", natsPassword: "", natsStreamsUser: "", natsStreamsPassword: "" };
    const config = { ...accounts, natsUrl: "nats://a", natsCaFile: "", process: "delivery" } as const;
    const { pingInterval, maxPingOut } = natsOptions(config, use);
    expect(pingInterval * (maxPingOut + 1)).toBeLessThanOrEqual(NOTICED_WITHIN_MS);
  },
);
