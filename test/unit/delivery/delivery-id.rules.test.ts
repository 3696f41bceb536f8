import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { firstDeliveryId, replayDeliveryId } from "../../../services/delivery/records/delivery-id.rules.ts";
import { isUuid, lowestIdAt, orderedId } from "../../../shared/ids.ts";

describe("ids of deliveries", () => {
  test("are UUIDs that carry the time of their cause", () => {
    const eventId = orderedId(1_800_000_000_000);
    const id = firstDeliveryId(eventId, randomUUID());
    expect(isUuid(id)).toBe(true);
    expect(id.slice(0, 13)).toBe(eventId.slice(0, 13));
    expect(id).not.toBe(eventId);
  });

  test("are the same for the same cause, and differ otherwise", () => {
    const [eventId, other] = [orderedId(1), orderedId(1)];
    const [endpointId, series] = [randomUUID(), orderedId(2)];
    expect(firstDeliveryId(eventId, endpointId)).toBe(firstDeliveryId(eventId, endpointId));
    expect(replayDeliveryId(series, eventId)).toBe(replayDeliveryId(series, eventId));
    const all = [
      firstDeliveryId(eventId, endpointId),
      firstDeliveryId(other, endpointId),
      firstDeliveryId(eventId, randomUUID()),
      replayDeliveryId(series, eventId),
      replayDeliveryId(series, other),
      replayDeliveryId(orderedId(2), eventId),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test("stay the same from one version of the service to the next, which may plan the same delivery again", () => {
    const eventId = "019b76da-a800-7000-8000-00000000000e";
    expect(firstDeliveryId(eventId, "endpoint-2")).toBe("019b76da-a800-7c16-a094-804b609fd86e");
    expect(replayDeliveryId(eventId, "event-1")).toBe("019b76da-a800-7e56-990c-257777372ba4");
  });

  test("lowestIdAt parts older from newer ids", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 47 }), (time) => {
        const bound = lowestIdAt(time);
        expect(orderedId(time) > bound).toBe(true);
        expect(orderedId(time - 1) < bound).toBe(true);
        expect(firstDeliveryId(orderedId(time - 1), "e") < bound).toBe(true);
      }),
    );
  });
});
