/** A nats-server with the accounts of deploy/nats, and every process on it as its own user. */
import { setImmediate } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { connect, Events, type NatsConnection } from "nats";
import { accountsConfig, NATS_USERS, STORAGE_USER, streamsUser } from "../../../deploy/nats/permissions.ts";
import type { ProcessName } from "../../../shared/config/config.ts";
import { startOwnNats } from "../servers/own-nats.ts";
import { aTestNamespace } from "../servers/servers.ts";
import { type MakeService, openStage, type Settings } from "./stage.ts";

export type PermissionStage = Awaited<ReturnType<typeof startPermissionStage>>;

const PERMISSIONS_VIOLATION = "PERMISSIONS_VIOLATION";

export async function startPermissionStage() {
  const namespace = aTestNamespace();
  const passwords = new Map(NATS_USERS.map((user) => [user, `password of ${user}`]));
  const { url, log, end } = await startOwnNats(accountsConfig(passwords, namespace));
  const on = openStage({ PBO_NAMESPACE: namespace, PBO_NATS_URL: url, PBO_LOG_LEVEL: "silent" });
  const connections: NatsConnection[] = [];

  return {
    namespace,
    /** What the server wrote, refusals included. */
    log,

    start: (process: ProcessName, service?: MakeService, settings: Settings = {}): Promise<ServiceBroker> =>
      on.start(process, service ? [service] : [], {
        PBO_NATS_USER: process,
        PBO_NATS_PASSWORD: passwords.get(process) ?? "",
        PBO_NATS_STREAMS_USER: streamsUser(process),
        PBO_NATS_STREAMS_PASSWORD: passwords.get(streamsUser(process)) ?? "",
        ...settings,
      }),
    untilMet: on.untilMet,

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
      await on.stop();
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
