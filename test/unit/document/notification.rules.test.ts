import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  notificationsIn,
  readNotifications,
  subscriptionIn,
} from "../../../services/document/notification.rules.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const BUCKET = "documents";
const { _id: documentId, objectKey } = aDocument();
const at = new Date("2026-01-02T12:00:01.234Z");

const aws = (key: string, given: Record<string, unknown> = {}) => ({
  eventVersion: "2.1",
  eventSource: "aws:s3",
  awsRegion: "eu-west-1",
  eventTime: at.toISOString(),
  eventName: "ObjectCreated:Put",
  s3: {
    s3SchemaVersion: "1.0",
    bucket: { name: BUCKET, arn: `arn:aws:s3:::${BUCKET}` },
    object: { key, size: 8, eTag: "d41d8cd98f00b204e9800998ecf8427e", sequencer: "0A1B2C3D4E5F678901" },
  },
  ...given,
});

const minio = (key: string) => {
  const eventName = "s3:ObjectCreated:Put";
  const record = aws(encodeURIComponent(key), { eventSource: "minio:s3", eventName, awsRegion: "" });
  return { EventName: eventName, Key: `${BUCKET}/${key}`, Records: [record] };
};

/** As in the examples of its documentation. */
const eventBridge = (key: string, given: Record<string, unknown> = {}) => ({
  version: "0",
  id: "17793124-05d4-b198-2fde-7ededc63b103",
  "detail-type": "Object Created",
  source: "aws.s3",
  account: "111122223333",
  time: at.toISOString(),
  region: "ca-central-1",
  resources: [`arn:aws:s3:::${BUCKET}`],
  detail: {
    version: "0",
    bucket: { name: BUCKET },
    object: { key, size: 5, etag: "d41d8cd98f00b204e9800998ecf8427e", sequencer: "617f08299329d189" },
    "request-id": "N4N7GDK58NMKJ12R",
    requester: "123456789012",
    "source-ip-address": "1.2.3.4",
    reason: "PutObject",
    ...given,
  },
});

const sns = (message: unknown) => ({
  Type: "Notification",
  MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  TopicArn: "arn:aws:sns:us-west-2:123456789012:MyTopic",
  Subject: "Amazon S3 Notification",
  Message: JSON.stringify(message),
  Timestamp: at.toISOString(),
  SignatureVersion: "1",
});

/** As its filer's webhook sends it. */
const seaweed = (path: string, event_type = "create") => ({
  key: path,
  event_type,
  message: { new_entry: { name: "file", attributes: { file_size: 8, mtime: 1_767_355_201 } } },
});

const read = (message: unknown) => readNotifications(JSON.stringify(message), BUCKET);
const expected = { documentId, objectKey, etag: "d41d8cd98f00b204e9800998ecf8427e", at };

describe("readNotifications", () => {
  test("a notification of MinIO, with slashes encoded: finds the document", () => {
    expect(read(minio(objectKey))).toEqual([expected]);
  });

  test("a notification of AWS with several records: finds each document", () => {
    const other = aDocument();
    expect(read({ Records: [aws(objectKey), aws(other.objectKey)] })).toEqual([
      expected,
      { ...expected, documentId: other._id, objectKey: other.objectKey },
    ]);
  });

  test("notifications of SNS, EventBridge and SeaweedFS: find the document", () => {
    expect(read(sns({ Records: [aws(objectKey)] }))).toEqual([expected]);
    expect(read(eventBridge(objectKey))).toEqual([expected]);
    expect(read({ ...eventBridge(objectKey), "detail-type": "Object Deleted" })).toEqual([expected]);
    expect(read(seaweed(`/buckets/${BUCKET}/${objectKey}`))).toEqual([{ ...expected, etag: null, at: null }]);
  });

  test("read already, or as text: the same", () => {
    expect(notificationsIn(eventBridge(objectKey), BUCKET)).toEqual(read(eventBridge(objectKey)));
  });

  test("a notification of a removal finds the document too", () => {
    const record = aws(objectKey, { eventName: "ObjectRemoved:Delete", eventTime: "no time" });
    expect(read({ Records: [record] })).toEqual([{ ...expected, at: null }]);
  });

  test.each<[string, unknown, unknown]>([
    ["in quotation marks", '"abc"', "abc"],
    ["empty", "", null],
    ["absent", undefined, null],
    ["no text", 7, null],
  ])("an etag that is %s", (_name, eTag, etag) => {
    const s3 = { bucket: { name: BUCKET }, object: { key: objectKey, eTag } };
    expect(read({ Records: [aws(objectKey, { s3 })] })).toEqual([{ ...expected, etag }]);
  });

  test.each([[undefined], [1_760_000_000_000], ["2026-13-01"]])("the time %j: is none", (eventTime) => {
    expect(read({ Records: [aws(objectKey, { eventTime })] })).toEqual([{ ...expected, at: null }]);
  });

  test("a plus in a key is a space", () => {
    const key = `my+tenant/${objectKey.split("/").slice(2).join("/")}`;
    expect(read({ Records: [aws(key)] })).toMatchObject([{ objectKey: key.replace("+", " ") }]);
  });

  const inBucket = (name: string, key: unknown) => aws("", { s3: { bucket: { name }, object: { key } } });
  test.each<[string, unknown]>([
    ["a key that is no text", { Records: [inBucket(BUCKET, 7)] }],
    ["AWS's test event", { Service: "Amazon S3", Event: "s3:TestEvent", Bucket: BUCKET }],
    ["a record of another bucket", { Records: [inBucket("x", objectKey)] }],
    ["an event of another kind", { Records: [aws(objectKey, { eventName: "ObjectTagging:Put" })] }],
    ["a key of somebody else", { Records: [aws("reports/2026/january.pdf")] }],
    ["a key that cannot be decoded", { Records: [aws("%E0%A4%A")] }],
    ["records that are no records", { Records: [null, 1, "x", {}, { s3: null }, { s3: { object: 5 } }] }],
    ["records that are no list", { Records: "x" }],
    ["EventBridge, another bucket", eventBridge(objectKey, { bucket: { name: "x" } })],
    ["EventBridge, a copy", eventBridge(objectKey, { reason: "CopyObject" })],
    ["EventBridge, another kind", { ...eventBridge(objectKey), "detail-type": "Object Tags Added" }],
    ["EventBridge without a key", eventBridge(objectKey, { object: {} })],
    ["SNS with something else", sns("hello")],
    ["SeaweedFS, another bucket", seaweed(`/buckets/x/${objectKey}`)],
    ["SeaweedFS, outside of buckets", seaweed(`/${BUCKET}/${objectKey}`)],
    ["SeaweedFS, a bucket", seaweed(`/buckets/${BUCKET}`)],
    ["a list", []],
    ["null", null],
  ])("of %s: finds nothing", (_, message) => {
    expect(read(message)).toEqual([]);
  });

  test("a notification that is no JSON finds nothing", () => {
    expect(readNotifications("{", BUCKET)).toEqual([]);
  });

  test("reading any JSON as a notification never fails", () => {
    fc.assert(
      fc.property(fc.json(), (text) => expect(Array.isArray(readNotifications(text, BUCKET))).toBe(true)),
    );
  });
});

test("subscriptionIn: the address that SNS wants to be confirmed, of no other message", () => {
  const SubscribeURL = "https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=2336";
  expect(subscriptionIn({ Type: "SubscriptionConfirmation", SubscribeURL })).toBe(SubscribeURL);
  expect(subscriptionIn({ Type: "SubscriptionConfirmation", SubscribeURL: 7 })).toBeNull();
  expect(subscriptionIn({ ...sns({}), SubscribeURL })).toBeNull();
  expect(subscriptionIn(null)).toBeNull();
});
