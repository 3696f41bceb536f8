import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createGroupedCall } from "../../../gateway/http/grouped-calls.ts";
import { AppError } from "../../../shared/errors.ts";
import type { GroupedAnswer, GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";

const request = (requestId: string): GroupedRequest => ({
  params: { params: {}, query: {}, body: requestId, headers: { ifMatch: null } },
  meta: { requestId, traceparent: "", caller: null },
});
const answerTo = ({ params }: GroupedRequest): GroupedAnswer => ({
  status: 200,
  headers: {},
  body: params.body,
});
const MIB = 1_048_576;
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index}`);

describe("createGroupedCall", () => {
  test.each([
    [
      [MIB, MIB, MIB, MIB, MIB],
      [4, 1],
    ],
    [
      [9 * MIB, 10],
      [1, 1],
    ],
    [Array(65).fill(100), [64, 1]],
    [[0, 0, 0], [3]],
  ])("bodies of %j bytes travel in groups of %j", async (sizes, expected) => {
    const groups: number[] = [];
    const call = createGroupedCall(async (requests) => {
      groups.push(requests.length);
      return { answers: requests.map(answerTo) };
    });
    await Promise.all((sizes as number[]).map((bytes) => call(request("r"), bytes)));
    expect(groups).toEqual(expected);
  });
});

describe("a group that is too large for one message", () => {
  const tooLarge = () => new AppError("Request.TooLarge", "The request is too large for one message.");
  const carrying = (isTooLarge: (requests: GroupedRequest[]) => boolean) => {
    const sent: unknown[][] = [];
    const call = createGroupedCall(async (requests) => {
      sent.push(requests.map(({ params }) => params.body));
      if (isTooLarge(requests)) throw tooLarge();
      return { answers: requests.map(answerTo) };
    });
    return { call, sent };
  };

  test("each goes alone, and only the one that is too large by itself is refused", async () => {
    const { call, sent } = carrying((requests) => requests.some(({ params }) => params.body === "r1"));
    const outcomes = await Promise.allSettled(ids(3).map((id) => call(request(id))));
    expect(sent).toEqual([["r0", "r1", "r2"], ["r0"], ["r1"], ["r2"]]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: { body: "r0" } },
      { status: "rejected", reason: { type: "Request.TooLarge" } },
      { status: "fulfilled", value: { body: "r2" } },
    ]);
  });
});

describe("a service that does not answer", () => {
  const UNAVAILABLE = { type: "Service.Unavailable", code: 503, data: { retryAfterSeconds: 1 } };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** This number of single-request groups is in flight, three a second, until the test answers them. */
  async function underWay(count: number) {
    const sent: unknown[][] = [];
    const answers: (() => void)[] = [];
    const call = createGroupedCall((requests) => {
      sent.push(requests.map(({ params }) => params.body));
      return new Promise((resolve) => answers.push(() => resolve({ answers: requests.map(answerTo) })));
    });
    for (const [index, id] of ids(count).entries()) {
      if (index > 0 && index % 3 === 0) await jest.advanceTimersByTimeAsync(1_000);
      void call(request(id));
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(sent).toHaveLength(count);
    sent.length = 0;
    return { call, sent, answerAll: () => answers.splice(0).forEach((answer) => void answer()) };
  }

  /** How it ended and after how many milliseconds, as far as it has. */
  function outcomesOf(calls: Promise<GroupedAnswer>[]) {
    const askedAt = performance.now();
    const ended: { afterMs: number; outcome: unknown }[] = [];
    const note = (outcome: unknown) => void ended.push({ afterMs: performance.now() - askedAt, outcome });
    for (const call of calls) call.then(note, note);
    return ended;
  }

  test("groups that are not answered for a second hold up nobody", async () => {
    const { call, sent } = await underWay(3);
    void call(request("next"));
    await jest.advanceTimersByTimeAsync(900);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toEqual([["next"]]);
  });

  test("the next is refused after 2.5 seconds and is never sent", async () => {
    const { call, sent, answerAll } = await underWay(12);
    const ended = outcomesOf([call(request("late"))]);
    await jest.advanceTimersByTimeAsync(2_499);
    expect(ended).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ended).toMatchObject([{ afterMs: 2_500, outcome: UNAVAILABLE }]);
    answerAll();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([]);
  });

  test("when 5,000 wait, the next is refused at once", async () => {
    const { call } = await underWay(12);
    const waiting = outcomesOf(ids(5_000).map((id) => call(request(id))));
    const next = outcomesOf([call(request("one too many"))]);
    await jest.advanceTimersByTimeAsync(0);
    expect(next).toMatchObject([{ afterMs: 0, outcome: UNAVAILABLE }]);
    expect(waiting).toEqual([]);
  });
});
