import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readNotices } from "../../../services/document/notice.rules.ts";
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

const minio = (key: string) => ({
  EventName: "s3:ObjectCreated:Put",
  Key: `${BUCKET}/${key}`,
  Records: [
    {
      ...aws(encodeURIComponent(key)),
      eventSource: "minio:s3",
      eventName: "s3:ObjectCreated:Put",
      awsRegion: "",
    },
  ],
});

const read = (message: unknown) => readNotices(JSON.stringify(message), BUCKET);
const expected = { documentId, objectKey, etag: "d41d8cd98f00b204e9800998ecf8427e", at };

describe("readNotices", () => {
  test("of MinIO, with slashes encoded: finds the document", () => {
    expect(read(minio(objectKey))).toEqual([expected]);
  });

  test("of AWS, several records in one message: finds each document", () => {
    const other = aDocument();
    expect(read({ Records: [aws(objectKey), aws(other.objectKey)] })).toEqual([
      expected,
      { ...expected, documentId: other._id, objectKey: other.objectKey },
    ]);
  });

  test("of a removal: finds the document too", () => {
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
    const key = `my+tenant/${objectKey.split("/").slice(1).join("/")}`;
    expect(read({ Records: [aws(key)] })).toMatchObject([{ objectKey: key.replace("+", " ") }]);
  });

  test.each<[string, unknown]>([
    [
      "a key that is no text",
      { Records: [aws(objectKey, { s3: { bucket: { name: BUCKET }, object: { key: 7 } } })] },
    ],
    ["AWS's test event", { Service: "Amazon S3", Event: "s3:TestEvent", Bucket: BUCKET }],
    [
      "a record of another bucket",
      { Records: [aws(objectKey, { s3: { bucket: { name: "x" }, object: { key: objectKey } } })] },
    ],
    ["an event of another kind", { Records: [aws(objectKey, { eventName: "ObjectTagging:Put" })] }],
    ["a key of somebody else", { Records: [aws("reports/2026/january.pdf")] }],
    ["a key that cannot be decoded", { Records: [aws("%E0%A4%A")] }],
    ["records that are no records", { Records: [null, 1, "x", {}, { s3: null }, { s3: { object: 5 } }] }],
    ["records that are no list", { Records: "x" }],
    ["a list", []],
    ["null", null],
  ])("of %s: finds nothing", (_, message) => {
    expect(read(message)).toEqual([]);
  });

  test("of text that is no JSON: finds nothing", () => {
    expect(readNotices("{", BUCKET)).toEqual([]);
  });

  test("of whatever JSON there is: never fails", () => {
    fc.assert(fc.property(fc.json(), (text) => expect(Array.isArray(readNotices(text, BUCKET))).toBe(true)));
  });
});
