/** Floor: links signed by the storage's own library, and a bucket that no service of ours listens to. */
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { connect } from "nats";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { storageSubject } from "../../../shared/jetstream/streams.ts";
import { createTestBucket } from "../../support/servers/servers.ts";
import type { BenchEnv } from "../frame/env.ts";
import { arrivals } from "../frame/in-flight.ts";

const LINK_SECONDS = 1_800;

export function openSigner({ servers, onClose }: BenchEnv, bucket: string) {
  const { endpoint, region, ...credentials } = servers.s3;
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  onClose(() => client.destroy());
  return {
    sign: ({ objectKey, contentType }: DocumentRecord): Promise<string> =>
      getSignedUrl(
        client,
        new PutObjectCommand({ Bucket: bucket, Key: objectKey, ContentType: contentType }),
        {
          expiresIn: LINK_SECONDS,
          signableHeaders: new Set(["content-type", "host"]),
        },
      ),
  };
}

/** Hears of each upload by the storage's own notice, under "bucket/key". */
export async function openNotices({ servers, namespace, onClose }: BenchEnv) {
  const own = `${namespace}floor`;
  const nats = await connect({ servers: servers.natsUrl });
  onClose(() => nats.close());
  const subject = storageSubject(own);
  // Without a stream the storage would keep its notices.
  await (await nats.jetstreamManager()).streams.add({ name: `${own}_NOTICES`, subjects: [subject] });
  const bucket = await createTestBucket(own);
  const uploads = arrivals();
  nats.subscribe(subject, {
    callback: (error, message) => {
      if (!error) uploads.arrived(message.json<{ Key: string }>().Key);
    },
  });
  await nats.flush();
  return { bucket, wait: uploads.wait };
}
