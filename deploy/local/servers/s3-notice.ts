/** Formats an object's arrival or removal as MinIO publishes it to NATS, with the fields that readers use. */
import type { S3Record } from "@20minutes/s3rver";

export function minioNotice({ eventName, eventTime, s3: { bucket, object } }: S3Record) {
  return {
    EventName: `s3:${eventName}`,
    Key: `${bucket.name}/${object.key}`,
    Records: [
      {
        eventVersion: "2.0",
        eventSource: "minio:s3",
        eventTime,
        eventName: `s3:${eventName}`,
        s3: {
          bucket: { name: bucket.name, arn: `arn:aws:s3:::${bucket.name}` },
          object: {
            key: queryEscape(object.key),
            size: object.size ?? 0,
            eTag: object.eTag ?? "",
            sequencer: object.sequencer,
          },
        },
      },
    ],
  };
}

/** Go's url.QueryEscape, which MinIO applies to the key of a record (and not to Key). */
const queryEscape = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
