import { expect, test } from "@jest/globals";
import {
  attemptPublisher,
  type PublishAttempts,
  parseAttempts,
} from "../../../services/delivery/attempt/attempt-message.ts";
import type { HandedOver } from "../../../services/delivery/records/delivery-update.rules.ts";

type Due = Parameters<PublishAttempts>[0][number];
type Message = { subject: string; refs: HandedOver[]; id: string };

async function published(due: readonly Due[]) {
  const messages: Message[] = [];
  const announced: Record<string, number> = {};
  const publish = attemptPublisher({
    jetstream: {
      publish: async (subject, body, { id }) => {
        messages.push({ subject, refs: JSON.parse(body), id });
        return { sequence: 1, duplicate: false };
      },
    },
    queues: { announce: (endpointId, count) => Object.assign(announced, { [endpointId]: count }) },
    config: { namespace: "t1" },
  });
  await publish(due);
  return { messages, announced };
}

const due = (id: string, change: Partial<Due> = {}) => ({
  _id: id,
  endpointId: "e-1",
  replaySeries: null,
  attemptCount: 0,
  ...change,
});

test("attempts due together share messages, 25 in each, and each is announced to the queue of its endpoint", async () => {
  const many = Array.from({ length: 60 }, (_, i) => due(`d${i}`, { endpointId: `e-${i % 2}` }));
  const { messages, announced } = await published(many);
  expect(messages.map(({ refs }) => refs.length)).toEqual([25, 25, 10]);
  expect(messages.flatMap(({ refs }) => refs)).toEqual(
    many.map(({ _id }) => ({ deliveryId: _id, attemptNo: 1, claim: null })),
  );
  expect(announced).toEqual({ "e-0": 30, "e-1": 30 });
});

test("replays have messages of their own", async () => {
  const { messages } = await published([due("a"), due("b", { replaySeries: "s" }), due("c")]);
  expect(messages.map(({ subject, refs }) => [subject, refs.map(({ deliveryId }) => deliveryId)])).toEqual([
    ["t1.deliveries.attempt.due", ["a", "c"]],
    ["t1.deliveries.replay.due", ["b"]],
  ]);
});

test("the same hand-over has the same message id; the next attempt and the next claim have another", async () => {
  const idOf = async (...args: Parameters<typeof due>[]) =>
    (await published(args.map((each) => due(...each)))).messages[0]?.id;
  const first = await idOf(["a"], ["b"]);
  expect(await idOf(["a"], ["b"])).toBe(first);
  const others = [
    await idOf(["a"], ["c"]),
    await idOf(["a", { attemptCount: 1 }], ["b"]),
    await idOf(["a", { claim: "c-1" }], ["b", { claim: "c-1" }]),
    await idOf(["a", { claim: "c-2" }], ["b", { claim: "c-2" }]),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});

test.each([
  "",
  "no json",
  "{}",
  "null",
  "[null]",
  '[{"deliveryId":1,"attemptNo":1}]',
  '[{"deliveryId":"a"}]',
  '[{"deliveryId":"a","attemptNo":1,"claim":7}]',
])("%j is no message of attempts", (text) => {
  expect(parseAttempts(text)).toBeNull();
});
