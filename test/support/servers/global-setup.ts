/** Runs once per jest run, before any worker starts; the workers inherit the addresses. */
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { buildPages } from "../built-pages.ts";
import { TEST_SERVER_VARIABLES } from "./servers.ts";
import { startTestInfra } from "./test-infra.ts";

const PARTNER_KEYS = 8;

export default async function globalSetup(): Promise<void> {
  const env = processEnv();
  if (!globalThis.pboTestInfra) {
    const names = Array.from({ length: PARTNER_KEYS }, (_, i) => `Partner ${i}`);
    const [infra, keys] = await Promise.all([
      startTestInfra(env.PBO_TEST_INFRA || undefined),
      Promise.all(names.map((commonName) => makePartnerKeys({ commonName }))),
      buildPages(),
    ]);
    globalThis.pboTestInfra = infra;
    env[TEST_SERVER_VARIABLES.partnerKeys] = JSON.stringify(keys);
  }
  const { servers, queueArn } = globalThis.pboTestInfra;
  const { mongodbUri, natsUrl, s3, settings } = servers;
  if (queueArn) env[TEST_SERVER_VARIABLES.s3QueueArn] = queueArn;
  env[TEST_SERVER_VARIABLES.mongodbUri] = mongodbUri;
  env[TEST_SERVER_VARIABLES.natsUrl] = natsUrl;
  env[TEST_SERVER_VARIABLES.settings] = JSON.stringify(settings);
  env[TEST_SERVER_VARIABLES.s3Endpoint] = s3.endpoint;
  env[TEST_SERVER_VARIABLES.s3AccessKeyId] = s3.accessKeyId;
  env[TEST_SERVER_VARIABLES.s3SecretAccessKey] = s3.secretAccessKey;
}
