/** The replica set of deploy/mongodb on this machine, its members started as the operator starts them; with our users. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import { parse } from "yaml";
import { prepareMongodb } from "../../../deploy/lib/mongodb-users.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { mongodSpec } from "../../../deploy/local/servers/mongod.ts";
import { findMongod } from "../../../deploy/local/servers/mongod-binary.ts";
import { quietReport } from "../quiet-report.ts";
import { waitFor } from "../wait-for.ts";
import type { SecretsDir } from "./new-secrets-dir.ts";
import { openTestHost } from "./test-host.ts";
import { withMongo } from "./with-client.ts";

type Client = mongoose.mongo.MongoClient;
type Manifest = {
  spec: {
    tls: { mode: string; allowInvalidCertificates: boolean };
    replsets: [{ name: string; size: number; configuration: string }];
  };
};

const READY_WITHIN_MS = 200_000;

export async function startMongodSet(secrets: SecretsDir) {
  const manifest = readFileSync(join(projectDir, "deploy/mongodb/replica-set.yaml"), "utf8");
  const { spec } = parse(manifest) as Manifest;
  const [{ name: setName, size, configuration }] = spec.replsets;
  const { paths, host } = openTestHost("mongods");
  const binary = await findMongod(quietReport);
  const caFile = join(secrets.dir, "ca/mongodb");
  const own = (file: string, content: string): string => {
    writeFileSync(join(paths.root, file), content, { mode: 0o600 });
    return join(paths.root, file);
  };
  const certificate = own("mongodb.pem", secrets.read("tls/mongodb.pem"));
  const asTheOperator = [
    ...["--config", own("mongod.conf", configuration), "--auth", "--clusterAuthMode", "x509"],
    ...["--tlsMode", spec.tls.mode, "--tlsCertificateKeyFile", certificate, "--tlsCAFile", caFile],
    ...["--tlsClusterFile", certificate, "--tlsClusterCAFile", caFile],
    ...(spec.tls.allowInvalidCertificates ? ["--tlsAllowInvalidCertificates"] : []),
  ];
  const ports: number[] = [];
  for (let index = 0; index < size; index += 1) ports.push(await host.ports.take(`mongod-${index}`));
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const dataDirs = ports.map((_, index) => join(paths.root, `mongodb-${index}`));
  const tls = { tls: true, tlsCAFile: caFile };
  const alone = `mongodb://${hosts[0]}/?directConnection=true`;
  const root = { username: "root", password: randomBytes(16).toString("hex") };

  try {
    await Promise.all(
      ports.map((port, index) => {
        const mongodDir = dataDirs[index] ?? "";
        mkdirSync(mongodDir);
        const usual = mongodSpec(binary, port, { ...paths, mongodDir });
        const args = [
          ...usual.args.map((arg, at) => (usual.args[at - 1] === "--replSet" ? setName : arg)),
          ...asTheOperator,
        ];
        const isReady = () =>
          withMongo(`mongodb://127.0.0.1:${port}/?directConnection=true`, isAnswering, tls);
        return manageProcess(
          { ...usual, name: `mongod-${index}`, args, isReady, readyWithinMs: READY_WITHIN_MS },
          host,
        ).start();
      }),
    );
    // The first client from this machine may make the set and its first user.
    const members = hosts.map((member, _id) => ({
      _id,
      host: member,
      ...(_id === 0 ? { priority: 2 } : {}),
    }));
    const initiate = async (client: Client) => {
      const admin = client.db("admin");
      await admin.command({
        replSetInitiate: { _id: setName, members, settings: { electionTimeoutMillis: 2_000 } },
      });
      await waitFor(async () => (await admin.command({ hello: 1 })).isWritablePrimary, "a primary");
      await admin.command({ createUser: root.username, pwd: root.password, roles: ["root"] });
    };
    const prepare = async (client: Client) => {
      const admin = client.db("admin");
      // No member is killed here: one that a busy machine holds up is not dead.
      const { config } = await admin.command({ replSetGetConfig: 1 });
      const settings = { ...config.settings, electionTimeoutMillis: 120_000 };
      await admin.command({ replSetReconfig: { ...config, version: config.version + 1, settings } });
      await prepareMongodb(client, (service) => secrets.read(`${service}/mongodb-password`));
    };
    await withMongo(alone, initiate, tls);
    await withMongo(alone, prepare, { ...tls, auth: root });
  } catch (error) {
    await closeHost(host);
    throw error;
  }
  return {
    hosts: hosts.join(","),
    /** As one address, of a user who may do anything. */
    rootUri: `mongodb://${root.username}:${root.password}@${hosts.join(",")}/?${new URLSearchParams({
      replicaSet: setName,
      tls: "true",
      tlsCAFile: caFile,
    })}`,
    processes: host.processes,
    dataDirs,
    /** As one of the services, to the set or to another address. */
    connect: (service: string, address = `${hosts.join(",")}/?replicaSet=${setName}`): Client =>
      new mongoose.mongo.MongoClient(`mongodb://${address}`, {
        ...tls,
        auth: { username: service, password: secrets.read(`${service}/mongodb-password`) },
      }),
    end: () => closeHost(host),
  };
}

const isAnswering = async (client: Client): Promise<boolean> =>
  Boolean(await client.db("admin").command({ hello: 1 }));
