import { describe, expect, test } from "@jest/globals";
import { minioNotice } from "../../../deploy/local/servers/s3-notice.ts";

const record = (key: string) => ({
  eventName: "ObjectCreated:Put",
  eventTime: "2026-01-02T03:04:05.678Z",
  s3: { bucket: { name: "documents" }, object: { key, size: 3, eTag: "abc", sequencer: "1" } },
});

describe("minioNotice", () => {
  test.each([
    ["p/c/business/d/Other.pdf", "p%2Fc%2Fbusiness%2Fd%2FOther.pdf"],
    ["a b+c", "a+b%2Bc"],
    ["it's (1)*!.pdf", "it%27s+%281%29%2A%21.pdf"],
    ["ünïcode~-_.", "%C3%BCn%C3%AFcode~-_."],
  ])("key %s: stands escaped in the record, as Go's QueryEscape does, and plain in Key", (key, escaped) => {
    const notice = minioNotice(record(key));
    expect(notice.Key).toBe(`documents/${key}`);
    expect(notice.EventName).toBe("s3:ObjectCreated:Put");
    expect(notice.Records[0]?.s3.object.key).toBe(escaped);
  });
});
