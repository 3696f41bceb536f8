import { describe, expect, test } from "@jest/globals";
import { createGroupedCall } from "../../../gateway/grouped-calls.ts";
import type { GroupedAnswer, GroupedRequest } from "../../../shared/grouped-call.ts";

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
