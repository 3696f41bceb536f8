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
import { createUploadSigner, type UploadSigner } from "./storage-signer.ts";

/** A file as storage describes it. */
export type StoredFile = {
  sizeBytes: number;
  contentType: string | null;
  etag: string;
  versionId: string | null;
  uploadedAt: Date;
};

export type Storage = {
  /** Needs no network. */
  signUpload: UploadSigner;
  /** The link may be used any number of times until it ends. Needs no network. */
  signView(key: string, view: FileView): Promise<string>;
  /** Fails with Service.Unavailable when the bucket does not answer. */
  ping(): Promise<void>;
  /** null when there is no such file. */
  describe(key: string, versionId?: string): Promise<StoredFile | null>;
  /** The bytes of exactly this file; null when it is gone or another one took its place. */
  read(key: string, file: StoredFile, signal?: AbortSignal): Promise<Readable | null>;
  /** A part of exactly this file, shorter at its end; null as above. */
  readPart(key: string, file: StoredFile, start: number, length: number): Promise<Buffer | null>;
  /** Copies exactly this file and describes the copy; null when it is gone or another one took its place. */
  copy(key: string, file: StoredFile, toKey: string, signal?: AbortSignal): Promise<StoredFile | null>;
  remove(key: string): Promise<void>;
  /** Removes all files of a folder except one. */
  clear(folder: string, except?: string | null): Promise<void>;
  /** Calls back whenever a connection to storage ends, which may mean that storage did. */
  onDisconnect(listener: () => void): void;
  close(): void;
};

/** Storage sends the file with these headers, whatever it was stored with. */
type FileView = {
  versionId: string | null;
  contentType: string;
  disposition: string;
  signedAt: Date;
  seconds: number;
};

type StorageConfig = Pick<
  Config,
  | "s3Endpoint"
  | "s3PublicEndpoint"
  | "s3Region"
  | "s3Bucket"
  | "s3AccessKeyId"
  | "s3SecretAccessKey"
  | "s3PathStyle"
>;

const CONNECT_MS = 1_000;
const PING_MS = 1_500;
const ANSWER_MS = 3_000;
/** The largest file over a slow line. */
const READ_MS = 20_000;
const COPY_MS = 10_000;
const CONNECTIONS = 64;

export function createStorage(config: StorageConfig): Storage {
  const Bucket = config.s3Bucket;
  const listeners: (() => void)[] = [];
  const agents = watchedAgents(() => {
    for (const listener of listeners) listener();
  });
  const client = new S3Client({
    ...clientConfig(config, config.s3Endpoint),
    requestHandler: { connectionTimeout: CONNECT_MS, ...agents },
  });
  // Signs only: it never opens a connection.
  const publicClient = new S3Client(clientConfig(config, publicEndpoint(config)));
  const within = (ms: number, signal?: AbortSignal) => ({
    abortSignal: signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms),
  });

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
    signUpload: createUploadSigner(publicClient, Bucket),

    signView: (Key, { versionId, contentType, disposition, signedAt, seconds }) =>
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

    async ping() {
      // Not HeadBucket: an answer without a length ends its connection, and with it the sign that storage lives.
      await client.send(new GetBucketLocationCommand({ Bucket }), within(PING_MS)).catch(away);
    },

    describe,

    read,

    async readPart(key, file, start, length) {
      const last = Math.min(start + length, file.sizeBytes) - 1;
      const body = await read(key, file, undefined, `bytes=${start}-${last}`);
      return body && Buffer.concat(await body.toArray().catch(away));
    },

    async copy(key, { etag }, toKey, signal) {
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

    async clear(Prefix, except = null) {
      let ContinuationToken: string | undefined;
      do {
        const list = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const { Contents = [], ...page } = await client.send(list, within(ANSWER_MS)).catch(away);
        for (const { Key } of Contents) if (Key && Key !== except) await remove(Key);
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },

    onDisconnect: (listener) => void listeners.push(listener),

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
