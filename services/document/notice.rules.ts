/** Reads notices of storage: MinIO's, AWS's and those that come through SQS are all S3 event records. */
import { isRecord } from "../../shared/is-record.ts";
import { documentIdOf } from "./document.rules.ts";

export type Notice = {
  documentId: string;
  objectKey: string;
  etag: string | null;
  at: Date | null;
};

/** The documents a message speaks of; none when it is no S3 event, or of another bucket or key. */
export function readNotices(message: string, bucket: string): Notice[] {
  const records = asObject(parseJson(message)).Records;
  return Array.isArray(records) ? records.flatMap((record) => readRecord(asObject(record), bucket)) : [];
}

function readRecord(record: Fields, bucket: string): Notice[] {
  const s3 = asObject(record.s3);
  const object = asObject(s3.object);
  // Nobody copies but this service.
  if (!/^(s3:)?Object(Created|Removed):(?!Copy)/.test(String(record.eventName))) return [];
  if (asObject(s3.bucket).name !== bucket) return [];
  const objectKey = decodeKey(object.key);
  const documentId = objectKey && documentIdOf(objectKey);
  return documentId
    ? [{ documentId, objectKey, etag: textOrNull(object.eTag), at: timeOrNull(record.eventTime) }]
    : [];
}

/** Keys come encoded as in a query string: "+" is a space, and MinIO encodes "/" too. */
function decodeKey(key: unknown): string | null {
  try {
    return typeof key === "string" ? decodeURIComponent(key.replaceAll("+", " ")) : null;
  } catch {
    return null;
  }
}

type Fields = Record<string, unknown>;

const asObject = (value: unknown): Fields => (isRecord(value) ? value : {});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.replaceAll('"', "") : null;

function timeOrNull(value: unknown): Date | null {
  const time = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
