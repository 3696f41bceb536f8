import { describe, expect, test } from "@jest/globals";
import {
  changedFields,
  consumerConfig,
  StreamMismatch,
  streamConfig,
} from "../../../shared/jetstream/jetstream-ensure.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";

const stream = streamConfig(STREAMS.EVENTS, "t1", 3);
const consumer = consumerConfig(CONSUMERS.deliveryRecord, "t1");

test("streamConfig and consumerConfig: the server's names and units", () => {
  expect(stream).toMatchObject({
    name: "T1_EVENTS",
    subjects: ["t1.events.>"],
    retention: "limits",
    storage: "file",
    discard: "old",
    max_age: 30 * 86_400 * 1e9,
    duplicate_window: 600 * 1e9,
    num_replicas: 3,
    deny_delete: true,
    deny_purge: true,
  });
  expect(consumer).toMatchObject({
    durable_name: "delivery-record",
    filter_subject: "t1.events.>",
    ack_policy: "explicit",
    deliver_policy: "all",
    ack_wait: 6 * 1e9,
    max_deliver: -1,
  });
});

describe("changedFields", () => {
  test("a stream as declared, with fields of a newer server or without a false one: no change", () => {
    const storage = streamConfig(STREAMS.STORAGE, "", 1);
    const { deny_delete, deny_purge, ...actual } = storage;
    expect([deny_delete, deny_purge]).toEqual([false, false]);
    expect(changedFields("stream", storage, actual)).toEqual([]);
    expect(changedFields("stream", stream, { ...stream, compression: "none", metadata: {} })).toEqual([]);
    expect(changedFields("consumer", consumer, { ...consumer, max_waiting: 512 })).toEqual([]);
  });

  test.each([
    [stream, "max_age", 1],
    [stream, "max_bytes", 1],
    [stream, "subjects", ["t1.events.>", "more.>"]],
    [stream, "num_replicas", 1],
    [stream, "duplicate_window", 1],
    [stream, "discard", "new"],
    [stream, "description", "other"],
    [consumer, "ack_wait", 1],
    [consumer, "max_ack_pending", 1],
    [consumer, "max_deliver", 5],
  ])("%#. another %s: an update changes it", (wanted, field, value) => {
    expect(changedFields("it", wanted, { ...wanted, [field]: value })).toEqual([field]);
  });

  test.each([
    [stream, "retention", "workqueue"],
    [stream, "storage", "memory"],
    [stream, "deny_purge", false],
    [stream, "deny_delete", undefined],
    [consumer, "deliver_policy", "new"],
    [consumer, "ack_policy", "none"],
    [consumer, "filter_subject", "t1.events.x"],
  ])("%#. another %s: an update cannot change it", (wanted, field, value) => {
    expect(() => changedFields("it", wanted, { ...wanted, [field]: value })).toThrow(StreamMismatch);
  });

  test("the error names the stream, both values and the remedy", () => {
    expect(() => changedFields("stream T1_EVENTS", stream, { ...stream, retention: "workqueue" })).toThrow(
      /stream T1_EVENTS .+: retention is "workqueue", wanted "limits"\. .+ by hand/,
    );
  });
});
