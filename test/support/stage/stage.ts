/** Common parts of every stage: a namespace, a clock to move, one log, and brokers that meet and end together. */
import { randomBytes } from "node:crypto";
import { ServiceBroker } from "moleculer";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { migrate } from "../../../deploy/lib/migrate.ts";
import type { Clock } from "../../../shared/clock.ts";
import { type Config, loadConfig, type ProcessName, SERVICE_NAMES } from "../../../shared/config/config.ts";
import type { ActionName } from "../../../shared/contract/actions.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { aTestNamespace, testServerSettings } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";
import { untilKnown } from "./known-nodes.ts";
import { weakWritesOf } from "./weak-writes.ts";

export type Settings = Record<string, string>;
export type Stage = ReturnType<typeof openStage>;
/** A service file's default export, or a stand-in. */
export type MakeService = (broker: ServiceBroker) => object;

/** A test about deadlines sets its own; for all others a busy machine must not matter. */
const PATIENT_MS = "15000";

/** All brokers live in this one process: where it is held up, none of the others is dead. */
const NEVER_MISSED_SECONDS = 300;
const NEVER_MISSED_MS = "60000";

export function openStage(settings: Settings = {}) {
  const namespace = settings.PBO_NAMESPACE ?? aTestNamespace();
  const gatewayKeys = newGatewayKeys();
  const fieldKeys = `test:${randomBytes(32).toString("base64")}`;
  const log: string[] = [];
  const brokers = new Set<ServiceBroker>();
  let heldAt: number | null = null;
  const clock = {
    ahead: 0,
    now: () => (heldAt ?? Date.now()) + clock.ahead,
    /** From now on time passes by move alone, however slow the machine is. */
    hold() {
      heldAt = Date.now();
    },
    move(milliseconds: number) {
      clock.ahead += milliseconds;
    },
  };

  const settingsOf = (own: Settings = {}): Settings => ({
    ...testServerSettings(namespace),
    PBO_IDENTITY_KEYS: fieldKeys,
    PBO_TOKEN_KEYS: fieldKeys,
    PBO_WEBHOOK_KEYS: fieldKeys,
    PBO_GATEWAY_PRIVATE_KEY: gatewayKeys.privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: gatewayKeys.publicKey,
    PBO_BASE_URL: "http://127.0.0.1",
    PBO_LOG_LEVEL: "info",
    // A hash at full cost takes a tenth of a second.
    PBO_PASSWORD_MEMORY_KIB: "64",
    PBO_REQUEST_TIMEOUT_MS: PATIENT_MS,
    PBO_DELIVERY_PARTITION_LEASE_MS: NEVER_MISSED_MS,
    // As on the local platform.
    PBO_SECOND_FACTOR: "none",
    PBO_FRESH_SIGN_IN_MINUTES: "0",
    ...settings,
    ...own,
  });
  const configOf = (process: ProcessName, own?: Settings): Config => loadConfig(process, settingsOf(own));

  const migrated = new Map<ProcessName, Promise<unknown>>();
  /** The database only: of streams a service makes what is missing. */
  function migrateOnce(config: Config): Promise<unknown> {
    const service = SERVICE_NAMES.find((name) => name === config.process);
    const done = migrated.get(config.process) ?? (service ? migrate(config, { parts: [service] }) : null);
    if (done) migrated.set(config.process, done);
    return done ?? Promise.resolve();
  }

  const weakWrites: string[][] = [];
  function watchWrites(broker: ServiceBroker): void {
    const { connection } = serviceRuntimeOf(broker).mongo;
    connection.once("connected", () => weakWrites.push(weakWritesOf(connection.getClient())));
  }

  const knowEachOther = (at: ServiceBroker, on: ServiceBroker) =>
    on.services
      .filter(({ name }) => at !== on && !name.startsWith("$"))
      .map(({ name }) => untilKnown(at, name, on));

  return {
    namespace,
    fieldKeys,
    clock,
    log,
    logLines: () => log.flatMap((text) => text.trimEnd().split("\n")).map(parseLine),
    settingsOf,
    configOf,

    async start(
      process: ProcessName,
      services: MakeService[],
      own?: Settings,
      ownClock: Clock = clock,
    ): Promise<ServiceBroker> {
      const config = configOf(process, {
        ...own,
        PBO_MONGODB_URI: monitored(settingsOf(own).PBO_MONGODB_URI),
      });
      const logger = createLogger(config, { write: (line: string) => void log.push(line) });
      const options = brokerOptions(config, { clock: ownClock, logger });
      const broker = new ServiceBroker({ ...options, heartbeatTimeout: NEVER_MISSED_SECONDS });
      const schemas = services.map((make) => make(broker));
      // Stand-ins have nothing to start, and no database.
      if (schemas.some((schema) => "started" in schema)) await migrateOnce(config);
      for (const schema of schemas) broker.createService(schema as never);
      if (schemas.some((schema) => "started" in schema)) watchWrites(broker);
      await broker.start();
      brokers.add(broker);
      return broker;
    },

    /** As another process, which is there for this call only. */
    async callAs(process: ProcessName, action: ActionName, params: object): Promise<unknown> {
      const caller = await this.start(process, []);
      try {
        const [service = ""] = action.split(".");
        await waitFor(() => caller.registry.hasService(service, undefined as never), {
          what: `${service} to be known`,
        });
        return await caller.call(action, params);
      } finally {
        await this.end(caller);
      }
    },

    /** Moleculer's own wait looks once a second. */
    async untilMet(): Promise<void> {
      const all = [...brokers];
      await Promise.all(all.flatMap((at) => all.flatMap((on) => knowEachOther(at, on))));
    },

    isRunning: (broker: ServiceBroker): boolean => brokers.has(broker),

    async end(broker: ServiceBroker): Promise<void> {
      brokers.delete(broker);
      await broker.stop();
    },

    /** Stored data is removed with the servers of the run. */
    async stop(): Promise<void> {
      const all = [...brokers];
      brokers.clear();
      await Promise.all(all.map((broker) => broker.stop()));
      const weak = new Set(weakWrites.flat());
      if (weak.size > 0)
        throw new Error(`Writes without a majority and its journal: ${[...weak].join("; ")}`);
    },
  };
}

const monitored = (uri = ""): string => `${uri}${uri.includes("?") ? "&" : "/?"}monitorCommands=true`;

const parseLine = (line: string) => JSON.parse(line) as Record<string, unknown>;
