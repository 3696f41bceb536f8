import { describe, expect, test } from "@jest/globals";
import {
  attempted,
  exhausted,
  putOff,
  putOffByFault,
} from "../../../services/delivery/records/delivery-update.rules.ts";

const ref = { deliveryId: "d", partnerId: "p", attemptNo: 3 };
const AT = Date.parse("2030-01-01T00:00:10.000Z");
const outcome = {
  ok: false,
  statusCode: 503,
  errorKind: "HttpStatus" as const,
  sealedExcerpt: "busy",
  durationMs: 12,
  sentAt: new Date("2030-01-01T00:00:09.000Z"),
  retryAfterMs: 5_000,
};
const attempt = {
  attemptNo: 3,
  sentAt: new Date("2030-01-01T00:00:09.000Z"),
  statusCode: 503,
  sealedExcerpt: "busy",
  durationMs: 12,
  errorKind: "HttpStatus",
};
const result = { attemptCount: 3, lastStatusCode: 503, lastFailure: "HttpStatus 5xx", postponed: 0 };

describe("attempted", () => {
  test("another attempt follows: it waits until then", () => {
    const next = new Date(AT + 30_000);
    expect(attempted(ref, outcome, { status: "Pending", nextAttemptAt: AT + 30_000 }, AT)).toEqual({
      ...ref,
      isFinal: false,
      attempts: [attempt],
      set: { ...result, nextAttemptAt: next, claimableAt: next },
    });
  });

  test.each(["Delivered", "Exhausted"] as const)("%s: it is over now", (status) => {
    expect(attempted(ref, outcome, { status }, AT)).toEqual({
      ...ref,
      isFinal: true,
      attempts: [attempt],
      set: { ...result, status, nextAttemptAt: null, completedAt: new Date(AT) },
    });
  });

  test("a success: what failed before is no longer its last failure", () => {
    const success = { ...outcome, ok: true, statusCode: 200, errorKind: null };
    expect(attempted(ref, success, { status: "Delivered" }, AT).set).toMatchObject({ lastFailure: null });
  });
});

describe("putOff", () => {
  test("waits for its turn without an attempt; faults of ours are counted, turns are not", () => {
    const update = { ...ref, isFinal: false, attempts: [] };
    expect(putOff(ref, AT)).toEqual({ ...update, set: { claimableAt: new Date(AT) } });
    expect(putOffByFault(ref, 1, AT)).toEqual({
      ...update,
      set: { claimableAt: new Date(AT), postponed: 2 },
    });
  });

  test("until a time that is shown as that of the next attempt, also when that is 1970", () => {
    expect(putOff(ref, AT, AT + 1).set.nextAttemptAt).toEqual(new Date(AT + 1));
    expect(putOff(ref, AT, 0).set.nextAttemptAt).toEqual(new Date(0));
  });
});

test("exhausted: over, with an entry that says why and counts for nothing", () => {
  const at = new Date(AT);
  expect(exhausted(ref, AT)).toEqual({
    ...ref,
    isFinal: true,
    attempts: [
      {
        attemptNo: 3,
        sentAt: at,
        statusCode: null,
        sealedExcerpt: null,
        durationMs: 0,
        errorKind: "EndpointDisabled",
      },
    ],
    set: { status: "Exhausted", lastFailure: "EndpointDisabled none", nextAttemptAt: null, completedAt: at },
  });
});
