import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import { AppError } from "../../../shared/errors.ts";
import { NotSent, NotTaken } from "../../../shared/moleculer/pending-calls.ts";
import { repeatCall } from "../../../shared/moleculer/repeat-call.ts";

afterEach(() => void jest.useRealTimers());

type Options = { timeout?: number; nodeID?: string; wasRepeated?: boolean };
type Next = (action: string, params: unknown, options?: Options) => Promise<unknown>;
type Answer = string | Error;

const failure = (type: string) => Object.assign(new Error(type), { type });
const appError = (type: ErrorCode, nodeID?: string) =>
  Object.assign(new AppError(type, "x"), nodeID ? { nodeID } : {});
const LOST = failure("REQUEST_REJECTED");
const GONE = failure("SERVICE_NOT_FOUND");
const AWAY = appError("Service.Unavailable");
const REFUSED = appError("Customer.NotFound");
const UNTAKEN = new NotTaken();

function middleware(next: Next, instances: Record<string, boolean> = {}) {
  const { created, call } = repeatCall(new Set(["a.read"])) as unknown as {
    created(broker: object): void;
    call(next: Next): Next;
  };
  const endpoints = Object.entries(instances).map(([id, isAvailable]) => ({ id, isAvailable }));
  created({ registry: { getActionEndpoints: () => ({ endpoints }) } });
  return call(next);
}

/** Answers as scripted, one after the other, and shows the instance that each call named. */
function scripted(answers: readonly Answer[], instances?: Record<string, boolean>) {
  const asked: (string | undefined)[] = [];
  const call = middleware(async (_action, _params, { nodeID } = {}) => {
    const answer = answers[asked.push(nodeID) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  }, instances);
  return { asked, call };
}

describe("repeatCall", () => {
  test.each<[string, string, Answer[]]>([
    ["an instance that died, until another one answers", "a.read", [LOST, GONE, LOST, "answer"]],
    ["a broker that is away when the call is repeated", "a.read", [LOST, new NotSent(), "answer"]],
    ["a request that no process took", "a.read", [UNTAKEN, GONE, "answer"]],
    ["such a request of an action that may not be made twice", "a.write", [UNTAKEN, UNTAKEN, "answer"]],
  ])("asks again after %s", async (_, action, answers) => {
    const { call, asked } = scripted(answers);
    expect(await call(action, {})).toBe("answer");
    expect(asked).toHaveLength(answers.length);
  });

  test.each<[string, string, Answer[], string]>([
    ["no instance at first", "a.read", [GONE], "SERVICE_NOT_FOUND"],
    ["a deadline at first", "a.read", [failure("REQUEST_TIMEOUT")], "REQUEST_TIMEOUT"],
    ["an answer that is an error", "a.read", [REFUSED], "Customer.NotFound"],
    ["such an answer after the repetition", "a.read", [LOST, REFUSED], "Customer.NotFound"],
    ["a part of the service away after the repetition", "a.read", [LOST, AWAY], "REQUEST_REJECTED"],
    ["a deadline after the repetition", "a.read", [LOST, failure("REQUEST_TIMEOUT")], "REQUEST_REJECTED"],
    ["a lost repetition after an untaken request", "a.read", [UNTAKEN, LOST, AWAY], "REQUEST_REJECTED"],
    ["a lost call that may not be made twice", "a.write", [LOST], "REQUEST_REJECTED"],
    ["no instance after one that did not take it", "a.write", [UNTAKEN, GONE], "SERVICE_NOT_FOUND"],
  ])("%s: fails", async (_, action, answers, type) => {
    const { call, asked } = scripted([...answers, "never"]);
    await expect(call(action, {})).rejects.toMatchObject({ type });
    expect(asked).toHaveLength(answers.length);
  });

  test.each<[Answer[], boolean]>([
    [["answer"], false],
    [[LOST, "answer"], true],
    [[UNTAKEN, GONE, "answer"], false],
    [[UNTAKEN, LOST, AWAY], true],
  ])("%#. the caller reads whether an earlier try may have done it", async (answers, wasRepeated) => {
    const options = { wasRepeated: false };
    await scripted(answers)
      .call("a.read", {}, options)
      .catch(() => undefined);
    expect(options).toEqual({ wasRepeated });
  });

  test("however late an instance is found dead, the caller has its answer within twelve seconds of asking", async () => {
    jest.useFakeTimers();
    const waits: number[] = [];
    const call = middleware(async (_action, _params, { timeout = 0 } = {}) => {
      waits.push(timeout);
      await new Promise((resolve) => setTimeout(resolve, waits.length === 1 ? 9_000 : timeout));
      throw LOST;
    });
    const ended = call("a.read", {}, { timeout: 5_000 }).catch((error: { type: string }) => error.type);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await ended).toBe("REQUEST_REJECTED");
    expect(waits[0]).toBe(5_000);
    expect(waits.length).toBeGreaterThan(1);
    expect(9_000 + waits.slice(1).reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(12_000);
  });
});

describe("an instance that cannot do it", () => {
  const BOTH = { one: true, two: true };
  const ONE_AWAY = appError("Service.Unavailable", "one");

  test("another one is asked, once", async () => {
    const { asked, call } = scripted([ONE_AWAY, "answer"], BOTH);
    expect(await call("a.read", {})).toBe("answer");
    expect(asked).toEqual([undefined, "two"]);
    const both = scripted([ONE_AWAY, appError("Service.Unavailable", "two"), "never"], BOTH);
    await expect(both.call("a.read", {})).rejects.toMatchObject({ nodeID: "two" });
    expect(both.asked).toEqual([undefined, "two"]);
  });

  test.each([
    ["there is no other", "a.read", { one: true }, ONE_AWAY],
    ["the breaker keeps the other one out", "a.read", { one: true, two: false }, ONE_AWAY],
    ["the action may be done once only", "a.write", BOTH, ONE_AWAY],
    ["our own process refused it", "a.read", BOTH, AWAY],
  ])("%s: its answer is final", async (_, action, instances, answer) => {
    const { asked, call } = scripted([answer, "never"], instances);
    await expect(call(action, {})).rejects.toBe(answer);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ["Service.Unavailable", appError("Service.Unavailable", "two"), false],
    ["Service.OutcomeUnknown", appError("Service.Unavailable", "two"), true],
    ["Service.Unavailable", LOST, true],
  ] as const)("%s, then %p: the caller reads whether it may have been done", async (first, then, is) => {
    const options = { wasRepeated: false };
    const { call } = scripted([appError(first, "one"), then], BOTH);
    await expect(call("a.read", {}, options)).rejects.toBe(then);
    expect(options).toEqual({ wasRepeated: is });
  });

  test("the other one is gone meanwhile: the first answer is final", async () => {
    const { call } = scripted([ONE_AWAY, UNTAKEN], BOTH);
    await expect(call("a.read", {})).rejects.toBe(ONE_AWAY);
  });
});
