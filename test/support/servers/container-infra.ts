/** MongoDB, NATS and MinIO in containers, where a Docker engine is present: PBO_TEST_INFRA=containers. */
import { createConnection } from "mongoose";
import { connect } from "nats";
import { GenericContainer, Network, type StartedTestContainer, Wait } from "testcontainers";
import { processEnv } from "../../../shared/config/config.ts";
import { storageSubject } from "../../../shared/jetstream/streams.ts";
import { waitFor } from "../wait-for.ts";
import type { TestInfra } from "./test-infra.ts";

/** Each can be replaced, by a mirror or another version. */
const IMAGES = {
  PBO_TEST_MONGO_IMAGE: "mongo:8.0",
  PBO_TEST_NATS_IMAGE: "nats:2.12-alpine",
  PBO_TEST_MINIO_IMAGE: "minio/minio:RELEASE.2025-04-22T22-12-26Z",
};
const imageOf = (variable: keyof typeof IMAGES): string => processEnv()[variable] || IMAGES[variable];

const ACCESS = { accessKeyId: "pbo-test", secretAccessKey: "pbo-test-secret" };
/** MinIO tells every arrival on one subject; each test's namespace listens on its own. */
const ALL_ARRIVALS = "minio.arrivals";
export const MINIO_QUEUE_ARN = "arn:minio:sqs::TEST:nats";

export async function startContainers(): Promise<TestInfra> {
  const network = await new Network().start();
  const started: StartedTestContainer[] = [];
  const keep = async (container: Promise<StartedTestContainer>) => {
    started.push(await container);
    return container;
  };
  const stop = async () => {
    await Promise.all(started.map((container) => container.stop()));
    await network.stop();
  };
  try {
    const [mongo, nats] = await Promise.all([
      keep(mongoContainer().start()),
      keep(natsContainer().withNetwork(network).withNetworkAliases("nats").start()),
    ]);
    const mongodbUri = `mongodb://${address(mongo, 27_017)}/?directConnection=true`;
    const natsUrl = `nats://${address(nats, 4_222)}`;
    await makeReplicaSet(mongodbUri);
    const minio = await keep(minioContainer().withNetwork(network).start());
    const endForwarding = await forwardArrivals(natsUrl);
    const s3 = { endpoint: `http://${address(minio, 9_000)}`, region: "us-east-1", ...ACCESS };
    return {
      name: "containers, one copy, no TLS",
      servers: { mongodbUri, natsUrl, s3, settings: {} },
      processes: () => [],
      queueArn: MINIO_QUEUE_ARN,
      async stop() {
        await endForwarding();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const address = (container: StartedTestContainer, port: number): string =>
  `${container.getHost()}:${container.getMappedPort(port)}`;

const mongoContainer = () =>
  new GenericContainer(imageOf("PBO_TEST_MONGO_IMAGE"))
    .withCommand(["mongod", "--replSet", "rs0", "--bind_ip_all"])
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/i));

const natsContainer = () =>
  new GenericContainer(imageOf("PBO_TEST_NATS_IMAGE"))
    .withCopyContentToContainer([
      // Streams reserve their largest size, and every test file makes its own.
      { content: "max_payload: 8MB\njetstream { max_file_store: 1TB }\n", target: "/etc/test-nats.conf" },
    ])
    .withCommand(["--config", "/etc/test-nats.conf"])
    .withExposedPorts(4_222)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/));

const minioContainer = () =>
  new GenericContainer(imageOf("PBO_TEST_MINIO_IMAGE"))
    .withCommand(["server", "/data"])
    .withEnvironment({
      MINIO_ROOT_USER: ACCESS.accessKeyId,
      MINIO_ROOT_PASSWORD: ACCESS.secretAccessKey,
      MINIO_NOTIFY_NATS_ENABLE_TEST: "on",
      MINIO_NOTIFY_NATS_ADDRESS_TEST: "nats:4222",
      MINIO_NOTIFY_NATS_SUBJECT_TEST: ALL_ARRIVALS,
    })
    .withExposedPorts(9_000)
    .withWaitStrategy(Wait.forHttp("/minio/health/ready", 9_000));

async function makeReplicaSet(uri: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  try {
    const admin = connection.db?.admin();
    await admin?.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] } });
    await waitFor(async () => (await admin?.command({ hello: 1 }))?.isWritablePrimary, "a primary");
  } finally {
    await connection.close();
  }
}

async function forwardArrivals(natsUrl: string): Promise<() => Promise<void>> {
  const connection = await connect({ servers: new URL(natsUrl).host });
  connection.subscribe(ALL_ARRIVALS, {
    callback: (_error, message) => {
      const [namespace = ""] = message.json<{ Key: string }>().Key.split("-");
      connection.publish(storageSubject(namespace), message.data);
    },
  });
  return () => connection.close();
}
