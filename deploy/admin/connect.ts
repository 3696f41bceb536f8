/** Connects the operator's command line to the message bus as the user "admin". */
import { ServiceBroker } from "moleculer";
import { loadConfig } from "../../shared/config/config.ts";
import { withDeadline } from "../../shared/deadline.ts";
import { AppError, unavailable } from "../../shared/errors.ts";
import { brokerOptions } from "../../shared/moleculer/broker.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import { readJson } from "../lib/files.ts";
import { mongodUri, natsUrl, statePaths } from "../lib/paths.ts";
import { isRunning, type ProcessIdentity } from "../lib/process-identity.ts";
import type { AdminCall } from "./command.ts";

export type AdminConnection = { call: AdminCall; close(): Promise<void> };

type Env = Record<string, string | undefined>;

const WITHIN_MS = 30_000;
const CHECK_EVERY_MS = 50;

export async function connectAdmin(env: Env): Promise<AdminConnection> {
  const config = loadConfig("admin", { ...env, PBO_LOG_LEVEL: "silent" });
  const broker = new ServiceBroker(brokerOptions(config));
  const call = callerFor("admin", broker);
  // A person waits: less than a service has for its start, and a shorter setting counts here too.
  const withinMs = Math.min(WITHIN_MS, config.startDeadlineMs);
  await withDeadline(broker.start(), withinMs, () => unavailable("The message bus (PBO_NATS_URL)"));
  return {
    async call(action, request, options) {
      const service = action.split(".")[0] ?? "";
      await broker.waitForServices(service, WITHIN_MS, CHECK_EVERY_MS).catch(() => {
        throw unavailable(`The service ${service}`);
      });
      return call(action, request, options);
    },
    close: () => broker.stop(),
  };
}

/** The given settings, or those of the platform running on this machine. */
export function adminEnv(env: Env, stateDir: string): Env {
  if (env.PBO_NATS_URL) return env;
  const paths = statePaths(stateDir);
  const lock = readJson<ProcessIdentity>(paths.lockFile);
  const { nats: port, mongod } = readJson<Record<string, number>>(paths.portsFile) ?? {};
  if (!lock || !isRunning(lock) || !port)
    throw new AppError(
      "Service.Unavailable",
      `No platform runs with its state in ${stateDir}. Start one with npm start, or set PBO_NATS_URL.`,
    );
  return {
    ...(mongod ? { PBO_MONGODB_URI: mongodUri(mongod) } : {}),
    ...env,
    PBO_ENV: "local",
    PBO_NATS_URL: natsUrl(port),
  };
}
