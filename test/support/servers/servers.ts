/** Addresses of the servers that were started once for the whole run, and names to keep tests apart on them. */
import { randomBytes } from "node:crypto";
import { processEnv } from "../../../shared/config/config.ts";

export type TestServers = {
  mongodbUri: string;
  natsUrl: string;
  s3: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };
  /** Further settings of a process that uses them. */
  settings: Record<string, string>;
};

export const TEST_SERVER_VARIABLES = {
  mongodbUri: "PBO_TEST_MONGODB_URI",
  natsUrl: "PBO_TEST_NATS_URL",
  s3Endpoint: "PBO_TEST_S3_ENDPOINT",
  s3AccessKeyId: "PBO_TEST_S3_ACCESS_KEY_ID",
  s3SecretAccessKey: "PBO_TEST_S3_SECRET_ACCESS_KEY",
  s3QueueArn: "PBO_TEST_S3_QUEUE_ARN",
  settings: "PBO_TEST_SERVER_SETTINGS",
  partnerKeys: "PBO_TEST_PARTNER_KEYS",
} as const;

export function testServers(): TestServers {
  const read = (name: string): string => {
    const value = processEnv()[name];
    if (!value) throw new Error(`${name} is not set: this test belongs in a jest project with globalSetup`);
    return value;
  };
  return {
    mongodbUri: read(TEST_SERVER_VARIABLES.mongodbUri),
    natsUrl: read(TEST_SERVER_VARIABLES.natsUrl),
    s3: {
      endpoint: read(TEST_SERVER_VARIABLES.s3Endpoint),
      region: "us-east-1",
      accessKeyId: read(TEST_SERVER_VARIABLES.s3AccessKeyId),
      secretAccessKey: read(TEST_SERVER_VARIABLES.s3SecretAccessKey),
    },
    settings: JSON.parse(processEnv()[TEST_SERVER_VARIABLES.settings] || "{}"),
  };
}

/** For PBO_NAMESPACE: its own databases, streams, subjects and nodes. */
export const aTestNamespace = (): string => `t${randomBytes(5).toString("hex")}`;

/** The test servers find the namespace of an arrival in the bucket's name. */
export const testBucket = (namespace: string): string => `${namespace}-documents`;

export async function createTestBucket(namespace: string): Promise<string> {
  // Here, because most test files need no storage, and loading it takes longer than many of them.
  const { CreateBucketCommand, PutBucketNotificationConfigurationCommand, S3Client } = await import(
    "@aws-sdk/client-s3"
  );
  const { endpoint, region, accessKeyId, secretAccessKey } = testServers().s3;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  const Bucket = testBucket(namespace);
  await client.send(new CreateBucketCommand({ Bucket }));
  const QueueArn = processEnv()[TEST_SERVER_VARIABLES.s3QueueArn];
  if (QueueArn)
    await client.send(
      new PutBucketNotificationConfigurationCommand({
        Bucket,
        NotificationConfiguration: {
          QueueConfigurations: [{ QueueArn, Events: ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"] }],
        },
      }),
    );
  client.destroy();
  return Bucket;
}

/** The settings that a process of this test needs; add to them what the test is about. */
export function testServerSettings(namespace: string): Record<string, string> {
  const servers = testServers();
  return {
    PBO_ENV: "local",
    PBO_NAMESPACE: namespace,
    PBO_NATS_URL: servers.natsUrl,
    PBO_MONGODB_URI: servers.mongodbUri,
    PBO_S3_ENDPOINT: servers.s3.endpoint,
    PBO_S3_REGION: servers.s3.region,
    PBO_S3_BUCKET: testBucket(namespace),
    PBO_S3_ACCESS_KEY_ID: servers.s3.accessKeyId,
    PBO_S3_SECRET_ACCESS_KEY: servers.s3.secretAccessKey,
    PBO_S3_PATH_STYLE: "true",
    PBO_OPS_HOST: "127.0.0.1",
    PBO_OPS_PORT: "0",
    PBO_HOST: "127.0.0.1",
    PBO_PORT: "0",
    ...servers.settings,
  };
}
