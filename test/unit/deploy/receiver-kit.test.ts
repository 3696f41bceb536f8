import { describe, expect, test } from "@jest/globals";
import { colours, describeEvent, plain, type Received } from "../../../deploy/receiver/describe-event.ts";
import { parseOptions } from "../../../deploy/receiver/options.ts";
import { seenEvents } from "../../../deploy/receiver/seen-events.ts";

const received = (change: Partial<Received> = {}): Received => ({
  at: new Date("2026-01-02T03:04:05.678Z"),
  headers: {
    "svc-event-id": "event-1",
    "svc-event-type": "webhook.test",
    "svc-delivery-id": "delivery-1",
    "svc-attempt": "1",
  },
  body: '{"data":{"message":"hello"},"correlation":{"sequence":1}}',
  verified: true,
  timesBefore: 0,
  answered: 200,
  ...change,
});

describe("describeEvent", () => {
  test("a verified event: its type, ids and data", () => {
    expect(describeEvent(received(), plain)).toBe(
      [
        "03:04:05.678 webhook.test verified → 200",
        "  event event-1  delivery delivery-1",
        "  {",
        '    "data": {',
        '      "message": "hello"',
        "    },",
        '    "correlation": {',
        '      "sequence": 1',
        "    }",
        "  }",
        "",
      ].join("\n"),
    );
  });

  test("a retry, a replay and a repetition are marked, and a repetition is not shown again", () => {
    const headers = { ...received().headers, "svc-attempt": "3", "svc-replay": "true" };
    expect(describeEvent(received({ headers, timesBefore: 2, answered: 500 }), plain)).toBe(
      "03:04:05.678 webhook.test verified, seen 2× before, replay, attempt 3 → 500\n  event event-1  delivery delivery-1\n",
    );
  });

  test("an unverified request shows its type only, without control characters", () => {
    const headers = { "svc-event-type": "x\u001b[31m\r\n" };
    expect(describeEvent(received({ headers, verified: false, answered: 401, body: "secret" }), plain)).toBe(
      "03:04:05.678 not verified x?[31m?? → 401\n",
    );
  });

  test("control characters of the body reach no terminal", () => {
    const shown = describeEvent(received({ body: '{"data":"\\u001b[2J"}' }), plain);
    expect(shown).not.toContain("\u001b");
    expect(describeEvent(received({ body: "\u001b[2J no json" }), plain)).not.toContain("\u001b");
  });

  test("in colour when asked", () => {
    expect(describeEvent(received(), colours)).toContain("\u001b[");
  });
});

describe("seenEvents", () => {
  test("counts an id and forgets the oldest beyond its limit", () => {
    const seen = seenEvents(2);
    expect([seen.note("a"), seen.note("a"), seen.note("b"), seen.note("a")]).toEqual([0, 1, 0, 2]);
    expect(seen.note("c")).toBe(0);
    expect(seen.note("b")).toBe(0);
  });
});

describe("parseOptions", () => {
  test("has defaults", () => {
    expect(parseOptions([], "/state")).toEqual({
      help: false,
      port: 8443,
      path: "/webhooks",
      secrets: [],
      partner: 1,
      answer: 200,
      state: "/state",
      rotate: false,
      showSecret: false,
    });
  });

  test.each([
    [["--port", "x"], "--port"],
    [["--port", "70000"], "--port"],
    [["--answer", "99"], "--answer"],
    [["--path", "webhooks"], "--path"],
    [["--secret", "abc"], "--secret"],
    [["--partner", "0"], "--partner"],
    [["--unknown"], "--unknown"],
  ])("refuses %j", (args, reason) => {
    expect(() => parseOptions(args, "/state")).toThrow(reason);
  });
});
