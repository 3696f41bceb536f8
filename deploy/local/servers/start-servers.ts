/** Starts MongoDB, NATS and S3 for the platform and the tests, except those the user runs. */
import { processEnv } from "../../../shared/config/config.ts";
import { mongodUri, natsUrl } from "../../lib/paths.ts";
import { type ManagedProcess, manageProcess, type ProcessHost } from "../processes/managed-process.ts";
import { mongodSpec } from "./mongod.ts";
import { findMongod } from "./mongod-binary.ts";
import { natsSpec, writeNatsConfig } from "./nats.ts";
import { findNatsServer } from "./nats-binary.ts";
import { s3Endpoint, s3Spec } from "./s3.ts";
import { writeS3Settings } from "./s3-settings.ts";

export type ServerAddresses = {
  mongodbUri: string;
  natsUrl: string;
  s3: {
    endpoint: string;
    region: string;
    bucket: string;
    accessKeyId: string;
    secretAccessKey: string;
    pathStyle: boolean;
  };
};

export type ServerOptions = {
  /** See S3Settings. */
  namespace: string;
  /** Settings that name servers to use instead. */
  env?: Record<string, string | undefined>;
};

const DEFAULT_BUCKET = "documents";

export async function startServers(host: ProcessHost, options: ServerOptions): Promise<ServerAddresses> {
  const env = options.env ?? processEnv();
  const { ports } = host;
  const begin = async (process: ManagedProcess, address: string) => {
    await process.start();
    host.report.say(`  ${process.name.padEnd(18)}${address}`);
  };

  const startMongod = async (): Promise<string> => {
    if (env.PBO_MONGODB_URI || env.PBO_MONGODB_HOSTS) return env.PBO_MONGODB_URI ?? "";
    const binary = await findMongod(host.report);
    const port = await ports.take("mongod");
    await begin(manageProcess(mongodSpec(binary, port, host.paths), host), mongodUri(port));
    return mongodUri(port);
  };

  const startNats = async (): Promise<string> => {
    if (env.PBO_NATS_URL) return env.PBO_NATS_URL;
    const program = await findNatsServer(host.report);
    const port = await ports.take("nats");
    writeNatsConfig(port, host.paths);
    await begin(manageProcess(natsSpec(program, port, host.paths), host), natsUrl(port));
    return natsUrl(port);
  };

  const startS3 = async (nats: string): Promise<ServerAddresses["s3"]> => {
    const region = env.PBO_S3_REGION || "us-east-1";
    const bucket = env.PBO_S3_BUCKET || DEFAULT_BUCKET;
    if (env.PBO_S3_ENDPOINT)
      return {
        endpoint: env.PBO_S3_ENDPOINT,
        region,
        bucket,
        accessKeyId: env.PBO_S3_ACCESS_KEY_ID ?? "",
        secretAccessKey: env.PBO_S3_SECRET_ACCESS_KEY ?? "",
        pathStyle: env.PBO_S3_PATH_STYLE === "true",
      };
    const port = await ports.take("s3");
    const settings = writeS3Settings(host.paths, {
      port,
      buckets: [bucket],
      natsUrl: nats,
      namespace: options.namespace,
    });
    await begin(manageProcess(s3Spec(port, host.paths), host), s3Endpoint(port));
    const { accessKeyId, secretAccessKey } = settings;
    return { endpoint: s3Endpoint(port), region, bucket, accessKeyId, secretAccessKey, pathStyle: true };
  };

  const [mongodbUri, [nats, s3]] = await Promise.all([
    startMongod(),
    startNats().then(async (url) => [url, await startS3(url)] as const),
  ]);
  return { mongodbUri, natsUrl: nats, s3 };
}
