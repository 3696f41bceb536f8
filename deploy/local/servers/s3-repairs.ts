/** Fixes four differences between the S3 library and S3. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type S3rver from "@20minutes/s3rver";
import type { S3Context, S3Store } from "@20minutes/s3rver";
import S3Error from "@20minutes/s3rver/lib/models/error.js";
import v4 from "@20minutes/s3rver/lib/signature/v4.js";
import { createKeyedMutex } from "../../../shared/keyed-mutex.ts";

const requests = new AsyncLocalStorage<S3Context>();

const currentRequest = (): S3Context | undefined => requests.getStore();

export function repairS3(server: S3rver): void {
  showWholeObjectsOnly(server.store);
  signBucketPathsAsSent();
  server.middleware.unshift(refuseUnsigned);
}

const ACCESS_DENIED =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** The library checks a signature only if there is one: unsigned requests would pass. */
function refuseUnsigned(context: S3Context, next: () => Promise<void>): Promise<void> | undefined {
  if (context.headers.authorization || context.query["X-Amz-Algorithm"]) return requests.run(context, next);
  context.status = 403;
  context.type = "application/xml";
  context.body = ACCESS_DENIED;
  return undefined;
}

/**
 * The library writes in place, and the type after the bytes. An interrupted upload would leave a part that looks
 * complete, and a read between the two writes would find no type.
 */
function showWholeObjectsOnly(store: S3Store): void {
  const oneAtATime = createKeyedMutex();
  const getMetadata = store.getMetadata.bind(store);
  store.getMetadata = (bucket, key) => oneAtATime(`${bucket}/${key}`, () => getMetadata(bucket, key));
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, "object");
    const partial = `${path}.${randomUUID()}.partial`;
    await mkdir(dirname(path), { recursive: true });
    try {
      const [size, md5] = await store.putContent(partial, content);
      await refuseOtherBytes(partial, currentRequest()?.headers["x-amz-checksum-sha256"]);
      await oneAtATime(`${bucket}/${key}`, async () => {
        await rename(partial, path);
        await store.putMetadata(bucket, key, metadata, md5);
      });
      return { size, md5 };
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  };
}

/** The library does not compare the bytes with the digest that was sent along. */
async function refuseOtherBytes(path: string, digest: string | undefined): Promise<void> {
  if (digest === undefined) return;
  const stored = createHash("sha256").update(await readFile(path));
  if (stored.digest("base64") !== digest)
    throw new S3Error("BadDigest", "The SHA256 you specified did not match the calculated checksum.");
}

/** The SDK requests and signs /bucket/; the library drops the last slash before it compares. */
function signBucketPathsAsSent(): void {
  const original = v4.getStringToSign;
  v4.getStringToSign = (request, parsed) => {
    const slash = currentRequest()?.path.endsWith("/") && !request.uri.endsWith("/") ? "/" : "";
    return original({ ...request, uri: `${request.uri}${slash}` }, parsed);
  };
}
