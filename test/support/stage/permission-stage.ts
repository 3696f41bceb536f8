/** A nats-server with the accounts of deploy/nats, and every process on it as its own user. */
import { setImmediate } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { connect, Events, type NatsConnection } from "nats";
import { accountsConfig, NATS_USERS, STORAGE_USER } from "../../../deploy/nats/permissions.ts";
import { loadConfig, type ProcessName } from "../../../shared/config/config.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import { startOwnNats } from "../servers/own-nats.ts";
import { aTestNamespace, testServerSettings } from "../servers/servers.ts";

export type PermissionStage = Awaited<ReturnType<typeof startPermissionStage>>;

const PERMISSIONS_VIOLATION = "PERMISSIONS_VIOLATION";

export async function startPermissionStage() {
  const namespace = aTestNamespace();
  const passwords = new Map(NATS_USERS.map((user) => [user, `password of ${user}`]));
  const { url, log, end } = await startOwnNats(accountsConfig(passwords, namespace));
  const brokers: ServiceBroker[] = [];
  const connections: NatsConnection[] = [];

  return {
    namespace,
    /** What the server wrote, refusals included. */
    log,

    async start(process: ProcessName, service?: (broker: ServiceBroker) => unknown): Promise<ServiceBroker> {
      const config = loadConfig(process, {
        ...testServerSettings(namespace),
        PBO_NATS_URL: url,
        PBO_NATS_USER: process,
        PBO_NATS_PASSWORD: passwords.get(process) ?? "",
        PBO_FIELD_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
        PBO_BASE_URL: "http://127.0.0.1",
        PBO_LOG_LEVEL: "silent",
      });
      const broker = new ServiceBroker(brokerOptions(config));
      brokers.push(broker);
      if (service) broker.createService(service(broker) as never);
      await broker.start();
      return broker;
    },

    async connect(user: string): Promise<NatsConnection> {
      const connection = await connect({
        servers: new URL(url).host,
        user,
        pass: passwords.get(user) ?? "",
        inboxPrefix: user === STORAGE_USER ? "_INBOX" : `_INBOX_${user}`,
      });
      connections.push(connection);
      return connection;
    },

    async end() {
      await Promise.all(connections.map((connection) => connection.close()));
      await Promise.all(brokers.map((broker) => broker.stop()));
      await end();
    },
  };
}

/** True when the server refuses it; false when it lets it pass. */
export async function isRefused(
  connection: NatsConnection,
  act: (connection: NatsConnection) => void,
): Promise<boolean> {
  const status = connection.status() as AsyncIterable<{ type: string; data: unknown }> & { stop(): void };
  let refused = false;
  const watching = (async () => {
    for await (const { type, data } of status)
      if (type === Events.Error && String(data) === PERMISSIONS_VIOLATION) refused = true;
  })();
  act(connection);
  // The server answers in order: a refusal comes before the answer to the flush.
  await connection.flush();
  await setImmediate();
  status.stop();
  await watching;
  return refused;
}
