/** Starts MongoDB, NATS and S3 for the platform and the tests, except those the user runs. */
import { mongodUri, natsUrl } from "../../lib/paths.ts";
import { manageProcess, type ProcessHost, type ProcessSpec } from "../processes/managed-process.ts";
import { mongodSpec } from "./mongod.ts";
import { findMongod } from "./mongod-binary.ts";
import { natsSpec, writeNatsConfig } from "./nats.ts";
import { findNatsServer } from "./nats-binary.ts";
import { s3Endpoint, s3Spec, writeS3Settings } from "./s3.ts";

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
  env: Record<string, string | undefined>;
};

export async function startServers(
  host: ProcessHost,
  { namespace, env }: ServerOptions,
): Promise<ServerAddresses> {
  const { ports, paths, report } = host;
  const started = async (spec: ProcessSpec, address: string): Promise<string> => {
    await manageProcess(spec, host).start();
    report.say(`  ${spec.name.padEnd(18)}${address}`);
    return address;
  };

  const startMongod = async (): Promise<string> => {
    if (env.PBO_MONGODB_URI || env.PBO_MONGODB_HOSTS) return env.PBO_MONGODB_URI ?? "";
    const binary = await findMongod(report);
    const port = await ports.take("mongod");
    return started(mongodSpec(binary, port, paths), mongodUri(port));
  };

  const startNats = async (): Promise<string> => {
    if (env.PBO_NATS_URL) return env.PBO_NATS_URL;
    const program = await findNatsServer(report);
    const port = await ports.take("nats");
    writeNatsConfig(port, paths);
    return started(natsSpec(program, port, paths), natsUrl(port));
  };

  const startS3 = async (nats: string): Promise<ServerAddresses["s3"]> => {
    const region = env.PBO_S3_REGION || "us-east-1";
    const bucket = env.PBO_S3_BUCKET || "documents";
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
    const given = { port, buckets: [bucket], natsUrl: nats, namespace };
    const { accessKeyId, secretAccessKey } = writeS3Settings(paths, given);
    const endpoint = await started(s3Spec(port, paths), s3Endpoint(port));
    return { endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle: true };
  };

  const [mongodbUri, [nats, s3]] = await Promise.all([
    startMongod(),
    startNats().then(async (url) => [url, await startS3(url)] as const),
  ]);
  return { mongodbUri, natsUrl: nats, s3 };
}
