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
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index}`);

describe("createGroupedCall", () => {
  test("requests that come together go together, and each gets its own answer", async () => {
    const groups: number[] = [];
    const call = createGroupedCall(async (requests) => {
      groups.push(requests.length);
      return { answers: requests.map(answerTo) };
    });
    const answers = await Promise.all(ids(10).map((id) => call(request(id))));
    expect(answers.map(({ body }) => body)).toEqual(ids(10));
    expect(groups).toEqual([10]);
  });

  test("a single request does not wait for others", async () => {
    const call = createGroupedCall(async (requests) => ({ answers: requests.map(answerTo) }));
    expect((await call(request("only"))).body).toBe("only");
  });

  test("many at once: groups of at most 64, a few under way at a time, nothing lost", async () => {
    let underWay = 0;
    let most = 0;
    const groups: number[] = [];
    const call = createGroupedCall(async (requests) => {
      underWay += 1;
      most = Math.max(most, underWay);
      groups.push(requests.length);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { answers: requests.map(answerTo) };
    });
    const answers = await Promise.all(ids(1_000).map((id) => call(request(id))));
    expect(answers.map(({ body }) => body)).toEqual(ids(1_000));
    expect(Math.max(...groups)).toBeLessThanOrEqual(64);
    expect(most).toBeLessThanOrEqual(4);
  });

  test("a group that fails fails for its requests only, and later ones go on", async () => {
    let calls = 0;
    const call = createGroupedCall(async (requests) => {
      calls += 1;
      if (calls === 1) throw new Error("away");
      return { answers: requests.map(answerTo) };
    });
    const first = await Promise.allSettled(ids(3).map((id) => call(request(id))));
    expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect((await call(request("later"))).body).toBe("later");
  });

  test("an answer that is short is an error, not somebody else's answer", async () => {
    const call = createGroupedCall(async () => ({ answers: [] }));
    await expect(call(request("x"))).rejects.toThrow("in part");
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

  test("a single request is refused without being sent again", async () => {
    const { call, sent } = carrying(() => true);
    await expect(call(request("only"))).rejects.toMatchObject({ type: "Request.TooLarge" });
    expect(sent).toEqual([["only"]]);
  });
});

describe("a service that does not answer", () => {
  const UNAVAILABLE = { type: "Service.Unavailable", code: 503, data: { retryAfterSeconds: 1 } };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** So many groups of one are under way, three a second, and are answered when the test says so. */
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

  test("each has its own 2.5 seconds, and all share one timer", async () => {
    const { call } = await underWay(12);
    await jest.advanceTimersByTimeAsync(1_000);
    const timersBefore = jest.getTimerCount();
    const early = outcomesOf(ids(100).map((id) => call(request(id))));
    await jest.advanceTimersByTimeAsync(1_000);
    const later = outcomesOf(ids(100).map((id) => call(request(id))));
    expect(jest.getTimerCount()).toBe(timersBefore + 1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(new Set(early.map(({ afterMs }) => afterMs))).toEqual(new Set([2_500]));
    expect(new Set(later.map(({ afterMs }) => afterMs))).toEqual(new Set([2_500]));
    expect([early.length, later.length]).toEqual([100, 100]);
  });

  test("an answer in time releases the waiting requests, whatever the clock says later", async () => {
    const { call, sent, answerAll } = await underWay(12);
    const ended = outcomesOf([call(request("in time"))]);
    await jest.advanceTimersByTimeAsync(2_000);
    answerAll();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([["in time"]]);
    expect(ended).toEqual([]);
    answerAll();
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toMatchObject([{ outcome: { body: "in time" } }]);
  });

  test("refused in the same moment in which the way becomes free: no empty group is sent", async () => {
    const { call, sent, answerAll } = await underWay(12);
    setTimeout(answerAll, 2_500);
    const ended = outcomesOf([call(request("late"))]);
    await jest.advanceTimersByTimeAsync(5_000);
    answerAll();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(ended).toHaveLength(1);
    expect(sent.filter((group) => group.length === 0)).toEqual([]);
  });

  test("when 5,000 wait, the next is refused at once", async () => {
    const { call } = await underWay(12);
    const waiting = outcomesOf(ids(5_000).map((id) => call(request(id))));
    const next = outcomesOf([call(request("one too many"))]);
    await jest.advanceTimersByTimeAsync(0);
    expect(next).toMatchObject([{ afterMs: 0, outcome: UNAVAILABLE }]);
    expect(waiting).toEqual([]);
  });

  test("a request that goes at once starts no timer", async () => {
    const call = createGroupedCall(async (requests) => ({ answers: requests.map(answerTo) }));
    const answer = call(request("at once"));
    await jest.advanceTimersByTimeAsync(0);
    expect((await answer).body).toBe("at once");
    expect(jest.getTimerCount()).toBe(0);
  });
});
