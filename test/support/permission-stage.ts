/** A nats-server with the accounts of deploy/nats, and every process on it as its own user. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { connect, Events, type NatsConnection } from "nats";
import { statePaths } from "../../deploy/local/paths.ts";
import { freePort } from "../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../deploy/local/processes/host.ts";
import { manageProcess } from "../../deploy/local/processes/managed-process.ts";
import { quietReport } from "../../deploy/local/report.ts";
import { natsSpec, natsUrl } from "../../deploy/local/servers/nats.ts";
import { findNatsServer } from "../../deploy/local/servers/nats-binary.ts";
import { accountsConfig, PROCESSES, STORAGE_USER, SYSTEM_USER } from "../../deploy/nats/permissions.ts";
import { brokerOptions } from "../../shared/broker.ts";
import { loadConfig, type ProcessName } from "../../shared/config.ts";
import { aTestNamespace, testServerSettings } from "./servers.ts";

export type PermissionStage = Awaited<ReturnType<typeof startPermissionStage>>;

const PERMISSIONS_VIOLATION = "PERMISSIONS_VIOLATION";

export async function startPermissionStage() {
  const namespace = aTestNamespace();
  const passwords = new Map(
    [...PROCESSES, STORAGE_USER, SYSTEM_USER].map((user) => [user, `password of ${user}`]),
  );
  const { url, log, end } = await startServer(accountsConfig(passwords, namespace));
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

async function startServer(accounts: string) {
  const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-nats-")));
  const host = openHost(paths, quietReport);
  host.guard.removeAtEnd(paths.root);
  const port = await freePort();
  const spec = natsSpec(await findNatsServer(quietReport), port, paths);
  // As the chart's values have it: beside the folder of the server's own file.
  const accountsDir = join(paths.root, "../", `${paths.root.split("/").at(-1)}-accounts`);
  mkdirSync(accountsDir, { mode: 0o700 });
  host.guard.removeAtEnd(accountsDir);
  writeFileSync(join(accountsDir, "accounts.conf"), accounts, { mode: 0o600 });
  appendFileSync(paths.natsConfigFile, `include ../${accountsDir.split("/").at(-1)}/accounts.conf\n`);
  await manageProcess(spec, host).start();
  return {
    url: natsUrl(port),
    log: () => readFileSync(paths.logFile("nats"), "utf8"),
    end: () => closeHost(host),
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
