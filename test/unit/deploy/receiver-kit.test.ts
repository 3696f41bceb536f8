import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { describeEvent, type Received } from "../../../deploy/receiver/describe-event.ts";
import { parseOptions } from "../../../deploy/receiver/options.ts";

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

const described = (event: Received) => stripVTControlCharacters(describeEvent(event));

describe("describeEvent", () => {
  test("a verified event: its type, ids and data", () => {
    expect(described(received())).toBe(
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
    expect(described(received({ headers, timesBefore: 2, answered: 500 }))).toBe(
      "03:04:05.678 webhook.test verified, seen 2× before, replay, attempt 3 → 500\n  event event-1  delivery delivery-1\n",
    );
  });

  test("an unverified request shows its type only, without control characters", () => {
    const headers = { "svc-event-type": "x\u001b[31m\r\n" };
    expect(described(received({ headers, verified: false, answered: 401, body: "secret" }))).toBe(
      "03:04:05.678 not verified x?[31m?? → 401\n",
    );
  });

  test.each(['{"data":"\\u001b[2J"}', "\u001b[2J no json"])(
    "no control character of %j reaches the terminal",
    (body) => {
      expect(describeEvent(received({ body }))).not.toContain("\u001b[2J");
    },
  );
});

test.each([
  [["--port", "x"], "--port"],
  [["--port", "70000"], "--port"],
  [["--answer", "99"], "--answer"],
  [["--path", "webhooks"], "--path"],
  [["--secret", "abc"], "--secret"],
  [["--partner", "0"], "--partner"],
  [["--unknown"], "--unknown"],
])("parseOptions refuses %j", (args, reason) => {
  expect(() => parseOptions(args, "/state")).toThrow(reason);
});
