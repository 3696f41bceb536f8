/** Formats an object's arrival or removal the way MinIO publishes it to NATS. */
import type { S3Record } from "@20minutes/s3rver";

export type Upload = { contentType: string; sourceAddress: string; userAgent: string };

export function minioNotice(record: S3Record, upload: Upload): Record<string, unknown> {
  const { bucket, object } = record.s3;
  const eventName = `s3:${record.eventName}`;
  return {
    EventName: eventName,
    Key: `${bucket.name}/${object.key}`,
    Records: [
      {
        eventVersion: "2.0",
        eventSource: "minio:s3",
        awsRegion: "",
        eventTime: record.eventTime,
        eventName,
        userIdentity: { principalId: "local" },
        requestParameters: { principalId: "local", region: "", sourceIPAddress: upload.sourceAddress },
        responseElements: record.responseElements,
        s3: {
          s3SchemaVersion: "1.0",
          configurationId: "Config",
          bucket: {
            name: bucket.name,
            ownerIdentity: { principalId: "local" },
            arn: `arn:aws:s3:::${bucket.name}`,
          },
          object: {
            key: queryEscape(object.key),
            size: object.size ?? 0,
            eTag: object.eTag ?? "",
            contentType: upload.contentType,
            userMetadata: { "content-type": upload.contentType },
            sequencer: object.sequencer,
          },
        },
        source: { host: upload.sourceAddress, port: "", userAgent: upload.userAgent },
      },
    ],
  };
}

/** Go's url.QueryEscape, which MinIO applies to the key of a record (and not to Key). */
const queryEscape = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
