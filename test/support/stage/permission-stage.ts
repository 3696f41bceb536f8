/** The NATS cluster of the manifests with secrets as the operator makes them, and every process on it as its own user. */
import { setImmediate } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { connect, Events, type NatsConnection } from "nats";
import {
  MIGRATION_USER,
  NATS_PEOPLE,
  PROCESSES,
  STORAGE_USER,
  STREAM_PROCESSES,
  streamsUser,
} from "../../../deploy/nats/permissions.ts";
import type { ProcessName } from "../../../shared/config/config.ts";
import { manifestsConf, startNatsCluster } from "../servers/nats-cluster.ts";
import { newSecretsDir, type SecretsDir } from "../servers/new-secrets-dir.ts";
import { aTestNamespace } from "../servers/servers.ts";
import { type MakeService, openStage, type Settings } from "./stage.ts";

const PERMISSIONS_VIOLATION = "PERMISSIONS_VIOLATION";

export async function startPermissionStage() {
  const namespace = aTestNamespace();
  const secrets = await newSecretsDir(namespace);
  const passwords = natsPasswords(secrets);
  const nats = await startNatsCluster({ conf: manifestsConf(), secretsDir: secrets.dir });
  const on = openStage({
    PBO_NAMESPACE: namespace,
    PBO_NATS_URL: nats.url,
    PBO_NATS_CA_FILE: nats.caFile,
    PBO_STREAM_REPLICAS: "3",
    PBO_LOG_LEVEL: "silent",
  });
  const connections: NatsConnection[] = [];
  const servers = nats.url.split(",").map((server) => new URL(server).host);

  return {
    namespace,
    passwords,
    nats,
    servers,
    log: nats.log,

    start: (process: ProcessName, service?: MakeService, settings: Settings = {}): Promise<ServiceBroker> =>
      on.start(process, service ? [service] : [], {
        PBO_NATS_USER: process,
        PBO_NATS_PASSWORD: passwords.get(process) ?? "",
        PBO_NATS_STREAMS_USER: streamsUser(process),
        PBO_NATS_STREAMS_PASSWORD: passwords.get(streamsUser(process)) ?? "",
        ...settings,
      }),
    untilMet: on.untilMet,

    /** To any server with the user's password, unless another is named. */
    async connect(user: string, other: { server?: string; password?: string } = {}): Promise<NatsConnection> {
      const connection = await connect({
        servers: other.server ?? servers,
        tls: { caFile: nats.caFile },
        user,
        pass: other.password ?? passwords.get(user) ?? "",
        inboxPrefix: user === STORAGE_USER ? "_INBOX" : `_INBOX_${user}`,
      });
      connections.push(connection);
      return connection;
    },

    async stop() {
      await Promise.all(connections.map((connection) => connection.close()));
      await on.stop();
      await nats.end();
    },
  };
}

/** As each process and person has them; the servers have hashes. */
const natsPasswords = ({ read }: SecretsDir): ReadonlyMap<string, string> =>
  new Map([
    ...[...PROCESSES, MIGRATION_USER].map((user) => [user, read(`${user}/nats-password`)] as const),
    ...STREAM_PROCESSES.map((user) => [streamsUser(user), read(`${user}/nats-streams-password`)] as const),
    ...NATS_PEOPLE.map((user) => [user, read(`nats/people/${user}`)] as const),
  ]);

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
