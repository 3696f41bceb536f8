import { describe, expect, test } from "@jest/globals";
import {
  consumerConfig,
  describeFixed,
  diffConsumer,
  diffStream,
  streamConfig,
} from "../../../shared/jetstream/jetstream-differ.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";

const stream = streamConfig(STREAMS.EVENTS, "t1", 3);
const consumer = consumerConfig(CONSUMERS.deliveryRecord, "t1");

describe("streamConfig and consumerConfig", () => {
  test("declare what the server must hold, in its units", () => {
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
});

describe("diff", () => {
  test("a stream as declared, with fields of a newer server: no differences", () => {
    expect(diffStream(stream, { ...stream, compression: "none", metadata: {} })).toEqual({
      changed: [],
      fixed: [],
    });
    expect(diffConsumer(consumer, { ...consumer, max_waiting: 512 })).toEqual({ changed: [], fixed: [] });
  });

  test("a field the server leaves out because it is false: no difference", () => {
    const wanted = streamConfig(STREAMS.STORAGE, "", 1);
    const { deny_delete, deny_purge, ...actual } = wanted;
    expect([deny_delete, deny_purge]).toEqual([false, false]);
    expect(diffStream(wanted, actual)).toEqual({ changed: [], fixed: [] });
  });

  test.each([
    ["max_age", 1, "changed"],
    ["max_bytes", 1, "changed"],
    ["subjects", ["t1.events.>", "more.>"], "changed"],
    ["num_replicas", 1, "changed"],
    ["duplicate_window", 1, "changed"],
    ["discard", "new", "changed"],
    ["description", "other", "changed"],
    ["retention", "workqueue", "fixed"],
    ["storage", "memory", "fixed"],
    ["deny_purge", false, "fixed"],
    ["deny_delete", undefined, "fixed"],
  ] as const)("a stream with another %s: %j is %s", (field, value, kind) => {
    const difference = diffStream(stream, { ...stream, [field]: value });
    expect(difference).toEqual({ changed: [], fixed: [], [kind]: [field] });
  });

  test.each([
    ["ack_wait", 1, "changed"],
    ["max_ack_pending", 1, "changed"],
    ["max_deliver", 5, "changed"],
    ["deliver_policy", "new", "fixed"],
    ["ack_policy", "none", "fixed"],
    ["filter_subject", "t1.events.x", "fixed"],
  ] as const)("a consumer with another %s: %j is %s", (field, value, kind) => {
    const difference = diffConsumer(consumer, { ...consumer, [field]: value });
    expect(difference).toEqual({ changed: [], fixed: [], [kind]: [field] });
  });

  test("the error names the thing, both values and the remedy", () => {
    const text = describeFixed("stream T1_EVENTS", stream, { ...stream, retention: "workqueue" }, [
      "retention",
    ]);
    expect(text).toContain("stream T1_EVENTS");
    expect(text).toContain('retention is "workqueue", wanted "limits"');
    expect(text).toContain("by hand");
  });
});
