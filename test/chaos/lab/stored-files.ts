/** The bytes of confirmed files, read from storage past every link. */
import { createHash } from "node:crypto";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { ServerAddresses } from "../../../deploy/local/servers/start-servers.ts";

export function storedFiles({ s3: { bucket, endpoint, region, ...credentials } }: ServerAddresses) {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  return {
    /** Null when there is no such file. */
    async sha256Of(key: string): Promise<string | null> {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        const bytes = await Body?.transformToByteArray();
        return bytes ? createHash("sha256").update(bytes).digest("hex") : null;
      } catch {
        return null;
      }
    },
    close: () => client.destroy(),
  };
}
