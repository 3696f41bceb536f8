import { describe, expect, test } from "@jest/globals";
import { loadAttempts } from "../../../services/delivery/attempt/load-attempts.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import type { EventContent } from "../../../services/delivery/records/event.repository.ts";
import { createRecentDeliveries } from "../../../services/delivery/records/recent-deliveries.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream.ts";

const START = Date.parse("2026-03-01T12:00:00.000Z");
const EVENT = {
  _id: "0199a000-0000-7000-8000-000000000001",
  partnerId: "p",
  eventType: "webhook.test",
  eventVersion: 1,
  customerId: null,
  occurredAt: new Date(START),
};
const CONTENT: EventContent = { _id: EVENT._id, envelopeJson: "{}", traceparent: null };

/** A delivery that was planned a moment ago, to be sent before its lease ends. */
function planned(leaseMs: number) {
  const clock = { at: START, now: () => clock.at };
  const times = { createdAtMs: START, nextAttemptAtMs: START, claimableAtMs: START + leaseMs };
  const delivery = firstDelivery(EVENT, { endpointId: "e", ...times });
  const recent = createRecentDeliveries(clock);
  recent.remember(delivery, CONTENT);
  return { clock, delivery, recent };
}

describe("a plan that is remembered", () => {
  test.each([
    ["is believed for ten seconds", 60_000, 9_999, true],
    ["is read again after ten seconds, however long the lease", 60_000, 10_000, false],
    ["is believed for half of a short lease", 4_000, 1_999, true],
    ["is read again long before its lease ends and another may send it", 4_000, 2_000, false],
  ])("%s", (_, leaseMs, ageMs, isBelieved) => {
    const { clock, delivery, recent } = planned(leaseMs);
    clock.at += ageMs;
    expect(recent.take(delivery._id) !== null).toBe(isBelieved);
  });

  test("is believed once only", () => {
    const { delivery, recent } = planned(60_000);
    expect(recent.take(delivery._id)).toMatchObject({ delivery, content: CONTENT });
    expect(recent.take(delivery._id)).toBeNull();
  });
});

describe("loadAttempts", () => {
  async function readFor(deliveryCount: number, attemptNo: number): Promise<readonly string[]> {
    const { delivery, recent } = planned(60_000);
    const read: string[] = [];
    const loaded = await loadAttempts(
      {
        deliveries: {
          load: async (ids) => {
            read.push(...ids);
            return [delivery];
          },
        },
        events: { contents: async () => [CONTENT] },
        directory: { find: async () => null },
        recent,
      },
      [
        {
          message: { deliveryCount } as StreamMessage,
          refs: [{ deliveryId: delivery._id, attemptNo, claim: null }],
        },
      ],
    );
    expect(loaded.get(delivery._id)).toMatchObject({ content: CONTENT });
    return read;
  }

  test("the first message of a first attempt: by the plan, without a read", async () => {
    expect(await readFor(1, 1)).toEqual([]);
  });

  test.each([
    ["a message that comes again", 2, 1],
    ["a later attempt", 1, 2],
  ])("%s: by the record, which others may have changed", async (_, deliveryCount, attemptNo) => {
    expect(await readFor(deliveryCount, attemptNo)).toHaveLength(1);
  });
});
