import { describe, expect, test } from "@jest/globals";
import { ALL_EVENT_TYPES } from "../../../services/delivery/history/history.rules.ts";
import {
  isSameReplay,
  isWanted,
  type PastDelivery,
  parseWindow,
  replayUnderway,
  tooManyReplays,
} from "../../../services/delivery/replay/replay.rules.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import { aJob } from "../../support/builders/delivery-records.ts";

const NOW = Date.parse("2026-06-30T12:00:00.000Z");
const code = (body: unknown): unknown => {
  try {
    return parseWindow(body, NOW);
  } catch (error) {
    return (error as { type: string }).type;
  }
};

describe("parseWindow", () => {
  test("from and to: all types, routed only", () => {
    expect(parseWindow({ from: "2026-06-29T00:00:00Z", to: "2026-06-30T00:00:00Z" }, NOW)).toEqual({
      from: new Date("2026-06-29T00:00:00Z"),
      to: new Date("2026-06-30T00:00:00Z"),
      eventTypes: ALL_EVENT_TYPES,
      status: null,
      includeUnrouted: false,
      dryRun: false,
    });
  });

  test.each(["includeUnrouted", "dryRun"])(
    "%s: true is true, and what is no boolean is refused there",
    (flag) => {
      const window = { from: "2026-06-29", to: "2026-06-30" };
      expect(parseWindow({ ...window, [flag]: true }, NOW)).toMatchObject({ [flag]: true });
      expect(parseWindow({ ...window, [flag]: null }, NOW)).toMatchObject({ [flag]: false });
      expect(() => parseWindow({ ...window, [flag]: 1 }, NOW)).toThrow(
        expect.objectContaining({ data: { details: [expect.objectContaining({ field: flag })] } }),
      );
    },
  );

  test("exactly seven days, exactly thirty days back: allowed", () => {
    expect(code({ from: "2026-05-31T12:00:00Z", to: "2026-06-07T12:00:00Z" })).toBeInstanceOf(Object);
  });

  test.each([
    [null, "Webhook.RangeInvalid"],
    ["x", "Webhook.RangeInvalid"],
    [[], "Webhook.RangeInvalid"],
    [{}, "Webhook.RangeInvalid"],
    [{ from: "2026-06-29T00:00:00Z" }, "Webhook.RangeInvalid"],
    [{ to: "2026-06-29T00:00:00Z" }, "Webhook.RangeInvalid"],
    [{ from: "2026-06-30T00:00:00Z", to: "2026-06-29T00:00:00Z" }, "Webhook.RangeInvalid"],
    [{ from: "2026-06-29T00:00:00Z", to: "2026-06-29T00:00:00Z" }, "Webhook.RangeInvalid"],
    [{ from: 1, to: 2 }, "Webhook.RangeInvalid"],
    [{ from: "2026-06-01T00:00:00.000Z", to: "2026-06-08T00:00:00.001Z" }, "Webhook.RangeTooWide"],
    [{ from: "2026-05-31T11:59:59.999Z", to: "2026-06-01T00:00:00Z" }, "Webhook.EventExpired"],
    [{ from: "2026-06-29", to: "2026-06-30", status: "Failed" }, "Webhook.StatusUnknown"],
    [{ from: "2026-06-29", to: "2026-06-30", includeUnrouted: "yes" }, "ValidationControl.Error"],
  ])("%j: %s", (body, expected) => {
    expect(code(body)).toBe(expected);
  });
});

describe("isSameReplay", () => {
  const job = (change: Partial<ReplayJob> = {}) => aJob({ _id: "r", askedAt: new Date(NOW), ...change });
  const asked = job();
  const done = job({ finishedAt: new Date(NOW + 1_000) });
  const askedLater = (ms: number) => ({ ...asked, askedAt: new Date(NOW + ms) });

  test("the same request: yes while it is unfinished, and for ten minutes", () => {
    expect(isSameReplay(job(), askedLater(3 * 24 * 3_600_000))).toBe(true);
    expect(isSameReplay(done, askedLater(599_999))).toBe(true);
    expect(isSameReplay(done, askedLater(600_000))).toBe(false);
  });

  test("a replay that is refused says which one is under way, and when to ask again", () => {
    expect(replayUnderway(job())).toMatchObject({
      type: "Webhook.ReplayUnderway",
      data: {
        details: [{ field: "replaySeries", code: "Webhook.ReplayUnderway", message: "r" }],
        retryAfterSeconds: 10,
      },
    });
    expect(tooManyReplays()).toMatchObject({
      type: "Webhook.TooManyReplays",
      message: expect.stringContaining("10000 "),
      data: { retryAfterSeconds: 60 },
    });
  });

  test.each<Partial<ReplayJob>>([
    { endpointId: "another" },
    { from: new Date(NOW - 60_001) },
    { to: new Date(NOW + 1) },
    { eventTypes: ["business.profile.created", "webhook.test"] },
    { status: "Exhausted" },
    { includeUnrouted: true },
  ])("with %j: no", (change) => {
    expect(isSameReplay(job(), { ...asked, ...change })).toBe(false);
  });
});

describe("isWanted", () => {
  const askedAt = new Date(NOW);
  const at = (minutes: number) => new Date(NOW + minutes * 60_000);
  const delivery = (change: Partial<PastDelivery>): PastDelivery => ({
    eventId: "e",
    createdAt: at(-10),
    status: "Delivered",
    completedAt: at(-9),
    ...change,
  });
  const wish = { status: "Exhausted" as const, includeUnrouted: false };

  test("no status asked for: every event", () => {
    expect(isWanted([], { ...wish, status: null }, askedAt)).toBe(true);
  });

  test("the last delivery decides", () => {
    const first = delivery({ status: "Exhausted" });
    const replay = delivery({ createdAt: at(-5), completedAt: at(-4) });
    expect(isWanted([first], wish, askedAt)).toBe(true);
    expect(isWanted([replay, first], wish, askedAt)).toBe(false);
    expect(isWanted([first, replay], wish, askedAt)).toBe(false);
  });

  test("an event after the replay's request does not count", () => {
    const endedLater = delivery({ status: "Exhausted", completedAt: at(1) });
    const madeLater = delivery({ status: "Exhausted", createdAt: at(1), completedAt: at(2) });
    expect(isWanted([endedLater], wish, askedAt)).toBe(false);
    expect(isWanted([endedLater], { ...wish, status: "Pending" }, askedAt)).toBe(true);
    expect(isWanted([delivery({ status: "Exhausted" }), madeLater], wish, askedAt)).toBe(true);
  });

  test("an event in the moment of the request counts", () => {
    const inThatMoment = delivery({ status: "Exhausted", createdAt: askedAt, completedAt: askedAt });
    expect(isWanted([inThatMoment], wish, askedAt)).toBe(true);
  });

  test("never delivered: only when unrouted events are included", () => {
    expect(isWanted([], wish, askedAt)).toBe(false);
    expect(isWanted([], { ...wish, includeUnrouted: true }, askedAt)).toBe(true);
  });
});

test.each([5, true, ["webhook.test"], {}])(
  "an eventType %j that is no text: refused by its name",
  (eventType) => {
    const body = { from: "2026-03-01T00:00:00Z", to: "2026-03-01T01:00:00Z", eventType };
    expect(() => parseWindow(body, Date.parse("2026-03-01T12:00:00Z"))).toThrow("eventType");
  },
);
