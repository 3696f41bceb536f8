/** Floor: links signed by the library of the storage. */
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import type { BenchEnv } from "../frame/env.ts";

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
