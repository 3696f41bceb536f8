import { expect, test } from "@jest/globals";
import { createGroupedCall } from "../../../gateway/http/grouped-calls.ts";
import type { GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";

const MIB = 1_048_576;
const request: GroupedRequest = {
  params: { params: {}, query: {}, body: {}, headers: { ifMatch: null } },
  meta: { requestId: "r", traceparent: "", caller: null },
};

test.each([
  [
    [MIB, MIB, MIB, MIB, MIB],
    [4, 1],
  ],
  [
    [3 * MIB, 3 * MIB],
    [1, 1],
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
    return { answers: requests.map(() => ({ status: 200, headers: {}, body: null })) };
  });
  await Promise.all((sizes as number[]).map((bytes) => call(request, bytes)));
  expect(groups).toEqual(expected);
});
