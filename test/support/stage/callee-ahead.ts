/** Run as a process of its own: a profile service whose calendar is ahead, which answers what is left of a deadline. */
import { type Context, ServiceBroker } from "moleculer";
import { loadConfig, processEnv } from "../../../shared/config/config.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";

const AHEAD_MS = 5_000;
const now = Date.now;
Date.now = () => now() + AHEAD_MS;

const broker = new ServiceBroker(brokerOptions(loadConfig("profile", processEnv())));
broker.createService({
  name: "profile",
  actions: {
    patch: {
      visibility: "public",
      handler: ({ meta }: Context<object, CallMeta>) => ({ left: (meta.endsAt ?? 0) - performance.now() }),
    },
  },
});
await broker.start();
process.stdout.write("started\n");
