import { describe, expect, test } from "@jest/globals";
import { hasRoom } from "../../../gateway/http/request-log.rules.ts";
import { createRequestLog, type RequestLog } from "../../../gateway/http/request-log.ts";
import type { RequestBatch } from "../../../shared/contract/actions/auth-token.ts";

type Noted = Parameters<RequestLog["note"]>[0];
const aRequest = (given: Partial<Noted> = {}): Noted => ({
  partnerId: "p1",
  method: "POST",
  route: "/api/partner/v1/business-profiles",
  status: 200,
  code: null,
  fields: [],
  requestId: "r1",
  durationMs: 12,
  ...given,
});

describe("hasRoom", () => {
  test.each<[string, number, number, number, boolean]>([
    ["a success with room", 0, 0, 200, true],
    ["the last success of a partner", 100, 49, 200, true],
    ["one success too many of a partner", 100, 50, 200, false],
    ["a failure beside its successes", 100, 50, 400, true],
    ["one failure too many of a partner", 150, 100, 500, false],
    ["anything when all is full", 200, 0, 500, false],
  ])("%s", (_, waiting, ofPartner, status, kept) => expect(hasRoom(waiting, ofPartner, status)).toBe(kept));
});

describe("createRequestLog", () => {
  function aLog() {
    const told: RequestBatch[] = [];
    const state = { isAway: false, droppedMetric: 0, warnings: 0 };
    const log = createRequestLog({
      async report(batch) {
        if (state.isAway) throw new Error("away");
        told.push(batch);
      },
      clock: { now: () => 1_900_000_000_000 },
      logger: { warn: () => (state.warnings += 1) } as never,
      metrics: { increment: (_: string, __: object, by: number) => (state.droppedMetric += by) } as never,
    });
    return { log, told, state };
  }

  test("stopped: tells what it has, and nothing when there is nothing", async () => {
    const { log, told } = aLog();
    await log.stop();
    expect(told).toEqual([]);
    log.note(aRequest());
    log.note(aRequest({ partnerId: "p2" }));
    await log.stop();
    expect(told).toMatchObject([{ entries: [{ partnerId: "p1" }, { partnerId: "p2" }], dropped: [] }]);
  });

  test("a flood: is counted where it is not kept, and leaves room for others", async () => {
    const { log, told, state } = aLog();
    for (let count = 0; count < 80; count += 1) log.note(aRequest());
    log.note(aRequest({ status: 500 }));
    log.note(aRequest({ partnerId: "p2" }));
    await log.stop();
    expect(told[0]?.entries).toHaveLength(52);
    expect(told[0]?.dropped).toEqual([{ partnerId: "p1", count: 30 }]);
    expect(state.droppedMetric).toBe(30);
    for (let count = 0; count < 50; count += 1) log.note(aRequest());
    await log.stop();
    expect(told[1]).toMatchObject({ dropped: [] });
    expect(told[1]?.entries).toHaveLength(50);
  });

  test("nobody to tell: what was in hand is counted, once, and told with the next batch", async () => {
    const { log, told, state } = aLog();
    state.isAway = true;
    for (let count = 0; count < 53; count += 1) log.note(aRequest());
    await log.stop();
    await log.stop();
    expect(state.warnings).toBe(2);
    state.isAway = false;
    log.note(aRequest());
    await log.stop();
    expect(told).toMatchObject([{ dropped: [{ partnerId: "p1", count: 53 }] }]);
    expect(told[0]?.entries).toHaveLength(1);
    expect(state.droppedMetric).toBe(53);
  });
});
