import { describe, expect, test } from "@jest/globals";
import { DELIVERABLE, firstDelivery, replayOf } from "../../../services/delivery/records/delivery.rules.ts";
import {
  parseQueue,
  priorityOf,
  queueName,
  queuesOf,
} from "../../../services/delivery/records/queue-name.rules.ts";

const event = {
  _id: "019b76da-a800-7000-8000-00000000000e",
  partnerId: "partner-1",
  eventType: "business.profile.created",
  eventVersion: 1,
  customerId: null,
  occurredAt: new Date("2026-01-01T00:00:00.000Z"),
};
const plan = {
  endpointId: "e1",
  partition: 7,
  createdAtMs: 1_000,
  nextAttemptAtMs: 2_000,
  claimableAtMs: 3_000,
};
const planned = {
  partnerId: "partner-1",
  endpointId: "e1",
  eventId: event._id,
  eventType: "business.profile.created",
  eventVersion: 1,
  customerId: null,
  occurredAt: event.occurredAt,
  createdAt: new Date(1_000),
  status: "Pending",
  attemptCount: 0,
  attempts: [],
  lastStatusCode: null,
  lastFailure: null,
  nextAttemptAt: new Date(2_000),
  completedAt: null,
  counted: false,
  claimableAt: new Date(3_000),
  postponed: 0,
};

describe("a delivery as it is planned", () => {
  test("the delivery of a new event is in the endpoint's queue, and its id begins with the event's time", () => {
    expect(firstDelivery(event, plan)).toEqual({
      ...planned,
      _id: expect.stringMatching(/^019b76da-a800-7/),
      replaySeries: null,
      queue: "p0007.e1",
    });
  });

  test("the delivery of a replay is in the queue of replays, and its id begins with the replay's time", () => {
    const series = "019c167f-cc00-7000-8000-00000000000a";
    expect(replayOf(event, plan, series)).toEqual({
      ...planned,
      _id: expect.stringMatching(/^019c167f-cc00-7/),
      replaySeries: series,
      queue: "p0007.e1/replay",
    });
  });
});

test("the fields of an event that are read for its delivery are those that a delivery takes", () => {
  const { _id, ...fields } = event;
  expect(DELIVERABLE).toEqual(Object.fromEntries(Object.keys(fields).map((field) => [field, 1])));
});

describe("queues", () => {
  test.each([
    [7, "e1", "attempt", "p0007.e1"],
    [9_999, "e1", "replay", "p9999.e1/replay"],
  ] as const)("in partition %i of %s for %s: %s, and back", (partition, endpointId, priority, queue) => {
    expect(queueName({ endpointId, partition }, priority)).toBe(queue);
    expect(parseQueue(queue)).toEqual({ partition, endpointId, priority });
    expect([queuesOf(partition).test(queue), queuesOf(partition - 1).test(queue)]).toEqual([true, false]);
  });

  test("a partition's pattern ends with its dot, which stands for nothing else", () => {
    expect(queuesOf(12).source).toBe("^p0012\\.");
  });

  test("a malformed queue name has no endpoint", () => {
    expect(parseQueue("e1")).toEqual({ partition: 0, endpointId: "", priority: "attempt" });
  });

  test("a delivery of a replay is in the priority of replays", () => {
    expect([priorityOf({ replaySeries: null }), priorityOf({ replaySeries: "s" })]).toEqual([
      "attempt",
      "replay",
    ]);
  });
});
