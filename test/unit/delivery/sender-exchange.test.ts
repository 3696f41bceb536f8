import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Dispatcher } from "undici";
import { EXCERPT_BYTES } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import { Exchange } from "../../../services/delivery/send/sender-exchange.ts";
import { SendFault } from "../../../services/delivery/send/sender-faults.ts";

const TIMEOUT_MS = 15_000;
const BODY_WAIT_MS = 5_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function started() {
  const aborted: unknown[] = [];
  const controller = {
    abort: (reason: unknown) => aborted.push(reason),
  } as unknown as Dispatcher.DispatchController;
  const exchange = new Exchange(TIMEOUT_MS);
  const ended = { as: null as unknown };
  exchange.reply.then(
    (reply) => (ended.as = { ...reply, body: Buffer.from(reply.body).toString() }),
    (error) => (ended.as = error),
  );
  exchange.onRequestStart(controller);
  const head = (status = 200, headers = {}) => exchange.onResponseStart(controller, status, headers);
  const data = (text: string) => exchange.onResponseData(controller, Buffer.from(text));
  const endAfter = async (ms: number) => {
    await jest.advanceTimersByTimeAsync(ms);
    return ended.as;
  };
  return { exchange, aborted, controller, head, data, endAfter };
}
const timeout = expect.objectContaining({ kind: "Timeout" });

describe("an exchange", () => {
  test("ends with status, Retry-After and body, and leaves no timer", async () => {
    const { exchange, head, data, endAfter, aborted } = started();
    head(503, { "retry-after": "7" });
    data("bu");
    data("sy");
    exchange.onResponseEnd();
    expect(await endAfter(0)).toEqual({ statusCode: 503, retryAfter: "7", body: "busy" });
    expect([jest.getTimerCount(), aborted]).toEqual([0, []]);
  });

  test("without an answer: Timeout at its deadline, and the request is broken off", async () => {
    const { endAfter, aborted } = started();
    expect(await endAfter(TIMEOUT_MS - 1)).toBeNull();
    expect(await endAfter(1)).toEqual(timeout);
    expect(aborted).toEqual([timeout]);
  });

  test("whose body is slow: the head is the answer, five seconds later", async () => {
    const { head, data, endAfter, aborted } = started();
    await endAfter(1_000);
    head();
    data("part");
    expect(await endAfter(BODY_WAIT_MS - 1)).toBeNull();
    expect(await endAfter(1)).toEqual({ statusCode: 200, retryAfter: undefined, body: "part" });
    expect(aborted).toEqual([timeout]);
  });

  test("whose body is long: ends as soon as an excerpt was read", async () => {
    const { head, data, endAfter, aborted } = started();
    head();
    data("x".repeat(EXCERPT_BYTES - 1));
    expect(await endAfter(0)).toBeNull();
    data("yz");
    expect(await endAfter(0)).toMatchObject({ body: `${"x".repeat(EXCERPT_BYTES - 1)}y` });
    expect([aborted.length, jest.getTimerCount()]).toEqual([1, 0]);
  });

  test("an interim answer is none", async () => {
    const { exchange, head, endAfter } = started();
    head(103);
    expect(await endAfter(BODY_WAIT_MS)).toBeNull();
    exchange.onResponseEnd();
    expect(await endAfter(0)).toMatchObject({ message: "ended without an answer" });
  });

  test("an error before the head is its end, an error behind the head is not", async () => {
    const [broken, late] = [started(), started()];
    broken.exchange.onResponseError(null, new Error("reset"));
    late.head();
    late.exchange.onResponseError(null, new Error("reset"));
    expect([await broken.endAfter(0), await late.endAfter(0)]).toMatchObject([
      { message: "reset" },
      { statusCode: 200 },
    ]);
  });

  test("that is over before it starts: is broken off, and stays as it ended", async () => {
    const { exchange, controller, head, endAfter, aborted } = started();
    exchange.stop(new SendFault("Own", "closing"));
    exchange.onRequestStart(controller);
    head();
    expect(await endAfter(TIMEOUT_MS)).toMatchObject({ kind: "Own" });
    expect(aborted).toEqual([expect.objectContaining({ kind: "Own" }), timeout]);
  });
});
