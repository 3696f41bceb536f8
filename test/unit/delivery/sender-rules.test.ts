import { env } from "node:process";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  excerptOf,
  judgeStatus,
  readRetryAfter,
} from "../../../services/delivery/records/attempt-outcome.rules.ts";
import { attemptHeaders } from "../../../services/delivery/send/send-attempt-headers.rules.ts";
import { anyText } from "../../support/builders/any-text.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-01-02T03:04:05.000Z");

describe("judgeStatus", () => {
  test.each([
    [200, true, null],
    [299, true, null],
    [300, false, "Redirect"],
    [399, false, "Redirect"],
    [400, false, "HttpStatus"],
    [503, false, "HttpStatus"],
  ])("%i: ok %s, %s", (status, ok, errorKind) => {
    expect(judgeStatus(status)).toEqual({ ok, errorKind });
  });
});

describe("readRetryAfter", () => {
  test.each([
    ["seconds", "120", 120_000],
    ["seconds with blanks around", " 7 ", 7_000],
    ["more than an hour", "86400", HOUR_MS],
    ["absurdly many seconds", "999999999999", HOUR_MS],
    ["zero", "0", null],
    ["a date", "Fri, 02 Jan 2026 03:05:05 GMT", 60_000],
    ["a date of RFC 850", "Friday, 02-Jan-26 03:05:05 GMT", 60_000],
    ["a date of asctime", "Fri Jan  2 03:05:05 2026", 60_000],
    ["a date far ahead", "Fri, 02 Jan 2099 03:05:05 GMT", HOUR_MS],
    ["a date in the past", "Fri, 02 Jan 2026 03:04:05 GMT", null],
    ["no such day", "Fri, 99 Jan 2026 03:05:05 GMT", null],
    ["a negative number", "-5", null],
    ["a fraction", "1.5", null],
    ["an exponent", "1e3", null],
    ["an ISO date", "2026-01-02T03:05:05Z", null],
    ["a date in no form of HTTP", "2 Jan 2026 03:05:05", null],
    ["words", "tomorrow", null],
    ["nothing", "", null],
    ["more digits than are a time", "9".repeat(400), null],
    ["absent", undefined, null],
    ["sent twice: the first counts", ["10", "20"], 10_000],
  ])("%s", (_what, header, expected) => {
    expect(readRetryAfter(429, header, NOW)).toBe(expected);
    expect(readRetryAfter(503, header, NOW)).toBe(expected);
  });

  test("a date of asctime is in GMT, whatever the zone of this machine", () => {
    const { TZ } = env;
    env.TZ = "America/New_York";
    try {
      expect(readRetryAfter(503, "Fri Jan  2 03:05:05 2026", NOW)).toBe(60_000);
    } finally {
      if (TZ === undefined) delete env.TZ;
      else env.TZ = TZ;
    }
  });

  test("a date a millisecond ahead", () => {
    expect(readRetryAfter(503, "Fri, 02 Jan 2026 03:04:05 GMT", NOW - 1)).toBe(1);
  });

  test.each([200, 301, 400, 404, 410, 500, 502])("a Retry-After of a %i counts as absent", (status) => {
    expect(readRetryAfter(status, "120", NOW)).toBeNull();
  });

  test("for any header, the wait is absent or between 1 ms and an hour", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const wait = readRetryAfter(503, header, NOW);
        expect(wait === null || (wait > 0 && wait <= HOUR_MS)).toBe(true);
      }),
    );
  });
});

describe("excerptOf", () => {
  test("keeps the first 4 KiB", () => {
    expect(excerptOf(Buffer.alloc(10_000, "a"))).toBe("a".repeat(4_096));
    expect(excerptOf(Buffer.from("short"))).toBe("short");
    expect(excerptOf(Buffer.alloc(0))).toBe("");
  });

  test("leaves out a character cut in two at the end, and shows wrong bytes as such", () => {
    expect(excerptOf(Buffer.from(`${"a".repeat(4_095)}é`))).toBe("a".repeat(4_095));
    expect(excerptOf(Buffer.from([...Buffer.alloc(4_095, "a"), 0xc3]))).toBe("a".repeat(4_095));
    expect(excerptOf(Buffer.from([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
    expect(excerptOf(Buffer.from([0x61, 0xc3]))).toBe("a\ufffd");
  });

  test("the excerpt of valid text is its beginning, of at most 4 KiB", () => {
    fc.assert(
      fc.property(anyText({ minLength: 1_000, maxLength: 6_000 }), (text) => {
        const body = Buffer.from(text.replace(/^\ufeff/, ""));
        const excerpt = excerptOf(body);
        expect(body.toString().startsWith(excerpt)).toBe(true);
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(4_096);
      }),
      { numRuns: 50 },
    );
  });
});

describe("attemptHeaders", () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const input = {
    secrets: [secret],
    eventType: "business.profile.created",
    eventVersion: 1,
    deliveryId: "0199f2c4-7a10-7000-8000-00000000000d",
    attemptNo: 3,
    isReplay: false,
  };
  const content = {
    eventId: "0199f2c4-7a10-7000-8000-00000000000e",
    timestampSeconds: 1_760_000_000,
    body: Buffer.from("{}"),
  };

  test.each(["a\r\nX-Evil: 1", "a\nb", "a\0b", "ü", "\u2028", ""])(
    "an event type %j is refused",
    (eventType) => {
      expect(() => attemptHeaders({ ...input, eventType }, content)).toThrow("Svc-Event-Type");
    },
  );

  test("name the event, the delivery and the attempt, in our words and in those of Standard Webhooks", () => {
    const signature = expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(attemptHeaders(input, content)).toEqual({
      "Content-Type": "application/json",
      "User-Agent": "Partner-Onboarding-Webhooks/1",
      "Svc-Event-Id": content.eventId,
      "Svc-Event-Type": input.eventType,
      "Svc-Event-Version": "1",
      "Svc-Delivery-Id": input.deliveryId,
      "Svc-Attempt": "3",
      "Svc-Timestamp": "1760000000",
      "Svc-Signature": signature,
      "webhook-id": content.eventId,
      "webhook-timestamp": "1760000000",
      "webhook-signature": signature,
    });
  });

  test("a replay alone has Svc-Replay: true; without a secret nothing is sent", () => {
    expect(attemptHeaders({ ...input, isReplay: true }, content)).toMatchObject({ "Svc-Replay": "true" });
    expect(attemptHeaders(input, content)).not.toHaveProperty("Svc-Replay");
    expect(() => attemptHeaders({ ...input, secrets: [] }, content)).toThrow("without a signature");
  });

  test("an id that cannot be a header is refused by the header's name", () => {
    const eventId = "e\n";
    expect(() => attemptHeaders(input, { ...content, eventId })).toThrow("Svc-Event-Id");
    expect(() => attemptHeaders({ ...input, deliveryId: "d\n" }, content)).toThrow("Svc-Delivery-Id");
  });
});
