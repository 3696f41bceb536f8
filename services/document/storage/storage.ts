/** The bucket of the documents, behind the few things done with it. Every wait is bounded. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Config } from "../../../shared/config/config.ts";
import { unavailable } from "../../../shared/errors.ts";
import { createStorageHealth } from "./storage-health.ts";
import { createUploadSigner } from "./storage-signer.ts";

/** A file as storage describes it. */
export type StoredFile = {
  sizeBytes: number;
  contentType: string | null;
  etag: string;
  versionId: string | null;
  uploadedAt: Date;
};

export type Storage = ReturnType<typeof createStorage>;

/** Storage sends the file with these headers, whatever it was stored with. */
type FileView = {
  versionId: string | null;
  contentType: string;
  disposition: string;
  signedAt: Date;
  seconds: number;
};

type StorageConfig = Pick<Config, Extract<keyof Config, `s3${string}`>>;

const CONNECT_MS = 1_000;
const PING_MS = 1_500;
const ANSWER_MS = 3_000;
/** The largest file over a slow line. */
const READ_MS = 20_000;
const COPY_MS = 10_000;
const CONNECTIONS = 64;

export function createStorage(config: StorageConfig) {
  const Bucket = config.s3Bucket;
  // Not HeadBucket: an answer without a length ends its connection, and with it the sign that storage lives.
  const health = createStorageHealth(() =>
    client.send(new GetBucketLocationCommand({ Bucket }), within(PING_MS)).catch(away),
  );
  const client: S3Client = new S3Client({
    ...clientConfig(config, config.s3Endpoint),
    requestHandler: { connectionTimeout: CONNECT_MS, ...watchedAgents(health.forget) },
  });
  // Signs only: it never opens a connection.
  const publicClient = new S3Client(clientConfig(config, publicEndpoint(config)));
  const within = (ms: number, signal?: AbortSignal) => ({
    abortSignal: signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms),
  });

  /** Null when there is no such file. */
  async function describe(Key: string, VersionId?: string): Promise<StoredFile | null> {
    const command = new HeadObjectCommand({ Bucket, Key, VersionId });
    const found = await client.send(command, within(ANSWER_MS)).catch(noneOrAway);
    return found && found.ETag !== undefined
      ? {
          sizeBytes: found.ContentLength ?? 0,
          contentType: found.ContentType ?? null,
          etag: bare(found.ETag),
          versionId: found.VersionId ?? null,
          uploadedAt: found.LastModified ?? new Date(0),
        }
      : null;
  }

  /** The bytes of exactly this file; null when it is gone or another file replaced it. */
  async function read(
    Key: string,
    file: StoredFile,
    signal?: AbortSignal,
    Range?: string,
  ): Promise<Readable | null> {
    const command = new GetObjectCommand({
      Bucket,
      Key,
      IfMatch: `"${file.etag}"`,
      VersionId: file.versionId ?? undefined,
      Range,
    });
    const found = await client.send(command, within(READ_MS, signal)).catch(noneOrAway);
    if (!found) return null;
    const body = found.Body as Readable;
    // A server may ignore If-Match.
    if (found.ETag && bare(found.ETag) === file.etag) return body;
    body.destroy();
    return null;
  }

  async function remove(Key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket, Key }), within(ANSWER_MS)).catch(away);
  }

  return {
    /** Needs no network. */
    signUpload: createUploadSigner(publicClient, Bucket),

    /** The link may be used any number of times until it expires. Needs no network. */
    signView: (Key: string, { versionId, contentType, disposition, signedAt, seconds }: FileView) =>
      getSignedUrl(
        publicClient,
        new GetObjectCommand({
          Bucket,
          Key,
          VersionId: versionId ?? undefined,
          ResponseContentType: contentType,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: "private, no-store",
        }),
        { expiresIn: seconds, signingDate: signedAt },
      ),

    /** Rejects with Service.Unavailable when the bucket does not answer. */
    answers: health.answers,

    describe,

    read,

    /** A part of exactly this file, shorter at its end; null as above. */
    async readPart(key: string, file: StoredFile, start: number, length: number): Promise<Buffer | null> {
      const last = Math.min(start + length, file.sizeBytes) - 1;
      const body = await read(key, file, undefined, `bytes=${start}-${last}`);
      return body && Buffer.concat(await body.toArray().catch(away));
    },

    /** Copies exactly this file and describes the copy; null as above. */
    async copy(
      key: string,
      { etag }: StoredFile,
      toKey: string,
      signal?: AbortSignal,
    ): Promise<StoredFile | null> {
      const command = new CopyObjectCommand({
        Bucket,
        Key: toKey,
        CopySource: `${Bucket}/${key}`,
        CopySourceIfMatch: `"${etag}"`,
      });
      const copied = await client.send(command, within(COPY_MS, signal)).catch(noneOrAway);
      return copied && describe(toKey);
    },

    remove,

    /** Removes all files of a folder except one. */
    async clear(Prefix: string, except: string | null = null): Promise<void> {
      let ContinuationToken: string | undefined;
      do {
        const list = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const { Contents = [], ...page } = await client.send(list, within(ANSWER_MS)).catch(away);
        for (const { Key } of Contents) if (Key && Key !== except) await remove(Key);
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },

    close() {
      client.destroy();
      publicClient.destroy();
    },
  };
}

/** The SDK puts the bucket before the host, also where the setting is the bucket's own address and has it already. */
function publicEndpoint({ s3Endpoint, s3PublicEndpoint, s3Bucket, s3PathStyle }: StorageConfig): string {
  if (!s3PublicEndpoint || !s3Endpoint || s3PathStyle) return s3PublicEndpoint || s3Endpoint;
  const withoutBucket = s3PublicEndpoint.replace(`//${s3Bucket}.`, "//");
  return new URL(withoutBucket).host === new URL(s3Endpoint).host ? withoutBucket : s3PublicEndpoint;
}

function clientConfig(config: StorageConfig, endpoint: string): S3ClientConfig {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  return {
    region: config.s3Region,
    forcePathStyle: config.s3PathStyle,
    // Otherwise the SDK adds a checksum header to upload links, which a partner's PUT does not send.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 2,
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  };
}

function watchedAgents(onClose: () => void): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const watched = <T extends HttpAgent>(agent: T): T => {
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (...args) => connect(...args)?.once("close", onClose);
    return agent;
  };
  return { httpAgent: watched(new HttpAgent(options)), httpsAgent: watched(new HttpsAgent(options)) };
}

const bare = (etag: string): string => etag.replaceAll('"', "");

const GONE = new Set([404, 412]);

function noneOrAway(error: unknown): null {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status !== undefined && GONE.has(status)) return null;
  return away(error);
}

function away(cause: unknown): never {
  throw unavailable("The document storage", cause);
}
