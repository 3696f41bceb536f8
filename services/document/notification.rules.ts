/** Reads notifications of storage: S3 event records (AWS, MinIO, Ceph, also in SNS), AWS EventBridge, SeaweedFS. */
import { isRecord } from "../../shared/is-record.ts";
import { documentIdOf } from "./document.rules.ts";

export type Notification = {
  documentId: string;
  objectKey: string;
  etag: string | null;
  at: Date | null;
};

type Named = { bucket: unknown; objectKey: string | null; etag?: unknown; at?: unknown };

/** The documents that a message names; none when it is no notification, or names another bucket or key. */
export const readNotifications = (message: string, bucket: string): Notification[] =>
  notificationsIn(parseJson(message), bucket);

/** The same for a parsed message. */
export function notificationsIn(message: unknown, bucket: string): Notification[] {
  return namedIn(asObject(message)).flatMap((named) => {
    const { objectKey } = named;
    const documentId = objectKey !== null && named.bucket === bucket ? documentIdOf(objectKey) : null;
    return objectKey !== null && documentId
      ? [{ documentId, objectKey, etag: textOrNull(named.etag), at: timeOrNull(named.at) }]
      : [];
  });
}

/** Where SNS wants its subscription to be confirmed; null for any other message. */
export function subscriptionIn(message: unknown): string | null {
  const { Type, SubscribeURL } = asObject(message);
  return Type === "SubscriptionConfirmation" && typeof SubscribeURL === "string" ? SubscribeURL : null;
}

function namedIn(message: Fields): Named[] {
  if (message.Type === "Notification") return recordsIn(asObject(parseJson(String(message.Message))));
  if (message.source === "aws.s3") return ofEventBridge(message);
  if (typeof message.event_type === "string") return ofSeaweed(message);
  return recordsIn(message);
}

const recordsIn = ({ Records }: Fields): Named[] =>
  Array.isArray(Records) ? Records.flatMap((record) => ofRecord(asObject(record))) : [];

function ofRecord({ eventName, eventTime, ...record }: Fields): Named[] {
  const s3 = asObject(record.s3);
  const { key, eTag } = asObject(s3.object);
  // Only this service copies.
  if (!/^(s3:)?Object(Created|Removed):(?!Copy)/.test(String(eventName))) return [];
  return [{ bucket: asObject(s3.bucket).name, objectKey: decodeKey(key), etag: eTag, at: eventTime }];
}

function ofEventBridge({ detail: about, time, ...message }: Fields): Named[] {
  const { bucket, object, reason } = asObject(about);
  const { key, etag } = asObject(object);
  if (!/^Object (Created|Deleted)$/.test(String(message["detail-type"])) || reason === "CopyObject")
    return [];
  return [{ bucket: asObject(bucket).name, objectKey: textOrNull(key), etag, at: time }];
}

/** SeaweedFS sends no ETag, and its key is a path below all buckets. */
function ofSeaweed({ key }: Fields): Named[] {
  const [, bucket, objectKey] = /^\/buckets\/([^/]+)\/(.+)$/.exec(String(key)) ?? [];
  return objectKey === undefined ? [] : [{ bucket, objectKey }];
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
