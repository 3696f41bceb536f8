/**
 * MongoDB and NATS as production has them, for measurements: three members and three servers on this machine, majority
 * writes and streams in three copies, TLS everywhere. Without the accounts of NATS: a benchmark speaks for several processes.
 */
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { startServers } from "../../../deploy/local/servers/start-servers.ts";
import { NATS } from "../../../deploy/nats/server-config.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { startMongodSet } from "./mongod-set.ts";
import { manifestsConf, startNatsCluster } from "./nats-cluster.ts";
import { newSecretsDir } from "./new-secrets-dir.ts";
import { openTestHost } from "./test-host.ts";
import type { TestInfra } from "./test-infra.ts";

export async function startThreeCopies({ synced }: { synced: boolean }): Promise<TestInfra> {
  const secrets = await newSecretsDir();
  const { host } = openTestHost("three-copies");
  const ends: (() => Promise<void>)[] = [() => closeHost(host)];
  const kept = async <T extends { end(): Promise<void> }>(server: Promise<T>): Promise<T> => {
    ends.push((await server).end);
    return server;
  };
  const stop = async () => {
    for (const end of ends) await end();
  };
  try {
    const [nats, mongods] = await Promise.all([
      kept(startNatsCluster({ conf: manifestsConf(), secretsDir: secrets.dir, accounts: "", synced })),
      kept(startMongodSet(secrets)),
    ]);
    // For whatever this process starts and that has no setting for it: the storage's notices, bare floors.
    processEnv().NODE_EXTRA_CA_CERTS = nats.caFile;
    const env = { PBO_MONGODB_URI: mongods.rootUri, PBO_NATS_URL: nats.url };
    const servers = await startServers(host, { namespace: "by-bucket", env });
    return {
      name: `three copies, TLS${synced ? ", synced streams" : ""}`,
      servers: {
        ...servers,
        settings: { PBO_NATS_CA_FILE: nats.caFile, PBO_STREAM_REPLICAS: String(NATS.servers) },
      },
      processes: () => [...nats.processes, ...mongods.processes, ...host.processes],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
