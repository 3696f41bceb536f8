/** Runs once per jest run, before any worker starts; the workers inherit the addresses. */
import { processEnv } from "../../../shared/config/config.ts";
import { TEST_SERVER_VARIABLES } from "./servers.ts";
import { startTestInfra } from "./test-infra.ts";

export default async function globalSetup(): Promise<void> {
  const env = processEnv();
  globalThis.pboTestInfra ??= await startTestInfra(env.PBO_TEST_INFRA || undefined);
  const { servers, queueArn } = globalThis.pboTestInfra;
  const { mongodbUri, natsUrl, s3 } = servers;
  if (queueArn) env[TEST_SERVER_VARIABLES.s3QueueArn] = queueArn;
  env[TEST_SERVER_VARIABLES.mongodbUri] = mongodbUri;
  env[TEST_SERVER_VARIABLES.natsUrl] = natsUrl;
  env[TEST_SERVER_VARIABLES.s3Endpoint] = s3.endpoint;
  env[TEST_SERVER_VARIABLES.s3AccessKeyId] = s3.accessKeyId;
  env[TEST_SERVER_VARIABLES.s3SecretAccessKey] = s3.secretAccessKey;
}
