import { request } from "node:http";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { connect, type NatsConnection } from "nats";
import { storageSubject } from "../../shared/jetstream/streams.ts";
import { aTestNamespace, createTestBucket, testServers } from "../support/servers/servers.ts";
import { waitFor } from "../support/wait-for.ts";

const namespace = aTestNamespace();
let client: S3Client;
let nats: NatsConnection;
let Bucket: string;

beforeAll(async () => {
  const { natsUrl, s3 } = testServers();
  Bucket = await createTestBucket(namespace);
  client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: true,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  nats = await connect({ servers: natsUrl });
});

afterAll(async () => {
  client.destroy();
  const manager = await nats.jetstreamManager();
  await manager.streams.delete(streamName).catch(() => {});
  await nats.close();
});

const streamName = `${namespace.toUpperCase()}_NOTICES`;

const uploadLink = (Key: string, options: { expiresIn?: number; signingDate?: Date } = {}) =>
  getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentType: "application/pdf" }), {
    expiresIn: 1800,
    signableHeaders: new Set(["content-type"]),
    ...options,
  });

const put = (url: string, contentType: string, body = "%PDF-1.7") =>
  fetch(url, { method: "PUT", body, headers: { "Content-Type": contentType } });

const exists = (Key: string) =>
  client.send(new HeadObjectCommand({ Bucket, Key })).then(
    () => true,
    () => false,
  );

describe("the embedded S3 API", () => {
  test("a signed upload with the signed content type: is stored as sent", async () => {
    const Key = "p1/c1/business/d1/BankStatement.pdf";
    const response = await put(await uploadLink(Key), "application/pdf", "%PDF-1.7 hello");
    expect(response.status).toBe(200);
    const stored = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(stored.ContentType).toBe("application/pdf");
    expect(await stored.Body?.transformToString()).toBe("%PDF-1.7 hello");
  });

  test("another content type than the signed one: is refused and stores nothing", async () => {
    const response = await put(await uploadLink("wrong-type"), "image/png");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("SignatureDoesNotMatch");
    expect(await exists("wrong-type")).toBe(false);
  });

  test("an expired link: is refused and stores nothing", async () => {
    const url = await uploadLink("expired", { expiresIn: 60, signingDate: new Date(Date.now() - 61_000) });
    const response = await put(url, "application/pdf");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Request has expired");
    expect(await exists("expired")).toBe(false);
  });

  test("a link whose path, signature or expiry was changed: is refused", async () => {
    const url = new URL(await uploadLink("mine"));
    const other = new URL(url);
    other.pathname = other.pathname.replace("mine", "theirs");
    const forged = new URL(url);
    forged.searchParams.set("X-Amz-Signature", "0".repeat(64));
    const longer = new URL(url);
    longer.searchParams.set("X-Amz-Expires", "604800");
    for (const changed of [other, forged, longer])
      expect((await put(changed.href, "application/pdf")).status).toBe(403);
  });

  test("a request without a signature: is refused for every method", async () => {
    const url = `${testServers().s3.endpoint}/${Bucket}/p1/unsigned`;
    for (const method of ["GET", "PUT", "DELETE", "POST"]) {
      const response = await fetch(url, { method, ...(method === "PUT" ? { body: "x" } : {}) });
      expect([method, response.status]).toEqual([method, 403]);
    }
    expect(await exists("p1/unsigned")).toBe(false);
  });

  test("an upload that is cut off: leaves the file that was there before", async () => {
    const url = await uploadLink("torn");
    await put(url, "application/pdf", "%PDF-1.7 whole");
    const headers = {
      "Content-Type": "application/pdf",
      "Content-Length": "1000000",
      Expect: "100-continue",
    };
    const upload = request(url, { method: "PUT", headers });
    const failed = new Promise((resolve) => upload.once("error", resolve));
    upload.flushHeaders();
    await new Promise((resolve) => upload.once("continue", resolve));
    await new Promise((resolve) => upload.write("%PDF-1.7 only the beginning", resolve));
    upload.destroy(new Error("cut off"));
    await failed;
    await put(await uploadLink("another"), "application/pdf");
    const stored = await client.send(new GetObjectCommand({ Bucket, Key: "torn" }));
    expect(await stored.Body?.transformToString()).toBe("%PDF-1.7 whole");
  });

  test("an upload before the stream exists: its notice arrives, shaped as MinIO's, when the stream does", async () => {
    const Key = "p1/c 1/business/d2/Other.pdf";
    expect((await put(await uploadLink(Key), "application/pdf", "%PDF-1.7 two")).status).toBe(200);
    const manager = await nats.jetstreamManager();
    await manager.streams.add({ name: streamName, subjects: [storageSubject(namespace)] });
    const notice = await waitFor(async () => {
      const { messages } = (await manager.streams.info(streamName)).state;
      for (let seq = 1; seq <= messages; seq += 1) {
        const found = (await manager.streams.getMessage(streamName, { seq })).json<Record<string, unknown>>();
        if (found.Key === `${Bucket}/${Key}`) return found;
      }
      return null;
    }, "the notice");
    expect(notice).toMatchObject({
      EventName: "s3:ObjectCreated:Put",
      Records: [
        {
          eventSource: "minio:s3",
          eventName: "s3:ObjectCreated:Put",
          s3: {
            bucket: { name: Bucket, arn: `arn:aws:s3:::${Bucket}` },
            object: {
              key: "p1%2Fc+1%2Fbusiness%2Fd2%2FOther.pdf",
              size: 12,
              eTag: expect.stringMatching(/^[0-9a-f]{32}$/),
            },
          },
        },
      ],
    });
  });
});
