import { describe, expect, jest, test } from "@jest/globals";
import { AppError } from "../../../shared/errors.ts";
import { NotSent, NotTaken } from "../../../shared/moleculer/pending-calls.ts";
import { repeatCall } from "../../../shared/moleculer/repeat-call.ts";

type Next = (target: unknown, params: unknown, options?: object) => Promise<unknown>;
const failure = (type: string) => Object.assign(new Error(type), { type });

/** Answers as scripted, one after the other. */
function scripted(...answers: (string | Error)[]) {
  const targets: unknown[] = [];
  const next: Next = async (target) => {
    targets.push(target);
    const answer = answers[targets.length - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { call } = repeatCall(new Set(["a.read"])) as unknown as { call(next: Next): Next };
  return { call: call(next), targets };
}

describe("repeatCall", () => {
  test("an instance that died: asks again until somebody answers", async () => {
    const { call, targets } = scripted(
      failure("REQUEST_REJECTED"),
      failure("SERVICE_NOT_FOUND"),
      failure("REQUEST_REJECTED"),
      "answer",
    );
    expect(await call("a.read", {})).toBe("answer");
    expect(targets).toEqual(["a.read", "a.read", "a.read", "a.read"]);
  });

  test.each(["SERVICE_NOT_FOUND", "REQUEST_TIMEOUT", "Customer.NotFound"])(
    "%s at first: fails at once",
    async (type) => {
      const { call, targets } = scripted(failure(type), "answer");
      await expect(call("a.read", {})).rejects.toMatchObject({ type });
      expect(targets).toHaveLength(1);
    },
  );

  test("an answer that is an error, after the repetition: is the answer", async () => {
    const { call } = scripted(failure("REQUEST_REJECTED"), new AppError("Customer.NotFound", "x"));
    await expect(call("a.read", {})).rejects.toMatchObject({ type: "Customer.NotFound" });
  });

  test("a broker that is away when it is repeated: waits for it", async () => {
    const { call } = scripted(failure("REQUEST_REJECTED"), new NotSent(), "answer");
    expect(await call("a.read", {})).toBe("answer");
  });

  test("a request that nobody took: asks again, and a repetition that is lost leaves the outcome open", async () => {
    const options = { wasRepeated: false };
    const taken = scripted(new NotTaken(), failure("SERVICE_NOT_FOUND"), "answer");
    expect(await taken.call("a.read", {}, options)).toBe("answer");
    expect(options).toEqual({ wasRepeated: false });
    const lost = scripted(
      new NotTaken(),
      failure("REQUEST_REJECTED"),
      new AppError("Service.Unavailable", "x"),
    );
    await expect(lost.call("a.read", {}, options)).rejects.toMatchObject({ type: "REQUEST_REJECTED" });
    expect(options).toEqual({ wasRepeated: true });
  });

  test("an action that may not be made twice and that nobody took: goes to the next instance", async () => {
    const { call, targets } = scripted(new NotTaken(), new NotTaken(), "answer");
    expect(await call("a.write", {})).toBe("answer");
    expect(targets).toHaveLength(3);
    const nobody = scripted(new NotTaken(), failure("SERVICE_NOT_AVAILABLE"));
    await expect(nobody.call("a.write", {})).rejects.toMatchObject({ type: "SERVICE_NOT_AVAILABLE" });
  });

  test.each([
    ["a part of the service that is away", new AppError("Service.Unavailable", "x")],
    ["a deadline", failure("REQUEST_TIMEOUT")],
  ])("%s, after the repetition: no answer, so the call stays lost", async (_, error) => {
    const { call } = scripted(failure("REQUEST_REJECTED"), error);
    await expect(call("a.read", {})).rejects.toMatchObject({ type: "REQUEST_REJECTED" });
  });

  test("tells its caller whether it repeated", async () => {
    const options = { wasRepeated: false };
    await scripted("answer").call("a.read", {}, options);
    expect(options).toEqual({ wasRepeated: false });
    await scripted(failure("REQUEST_REJECTED"), "answer").call("a.read", {}, options);
    expect(options).toEqual({ wasRepeated: true });
  });

  test("an action that may not be made twice: never repeated", async () => {
    const { call, targets } = scripted(failure("REQUEST_REJECTED"), "answer");
    await expect(call("a.write", {})).rejects.toMatchObject({ type: "REQUEST_REJECTED" });
    expect(targets).toHaveLength(1);
  });

  test("however late an instance is found dead, the caller has its answer within twelve seconds of asking", async () => {
    jest.useFakeTimers();
    try {
      const waits: number[] = [];
      const next = async (_action: unknown, _params: unknown, { timeout }: { timeout: number }) => {
        waits.push(timeout);
        await new Promise((resolve) => setTimeout(resolve, waits.length === 1 ? 9_000 : timeout));
        throw failure("REQUEST_REJECTED");
      };
      const { call } = repeatCall(new Set(["a.read"])) as unknown as {
        call(inner: typeof next): typeof next;
      };
      const ended = call(next)("a.read", {}, { timeout: 5_000 }).catch(
        (error: { type: string }) => error.type,
      );
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await ended).toBe("REQUEST_REJECTED");
      expect(waits[0]).toBe(5_000);
      expect(waits.length).toBeGreaterThan(1);
      expect(9_000 + waits.slice(1).reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(12_000);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe("an instance that cannot do it", () => {
  const answered = (type: "Service.Unavailable" | "Service.OutcomeUnknown", nodeID?: string) =>
    Object.assign(new AppError(type, "x"), nodeID ? { nodeID } : {});

  /** Two instances, one and two, of which some are taken by the breaker. */
  function amongInstances(isAvailable: Record<string, boolean>, ...answers: (string | Error)[]) {
    const asked: unknown[] = [];
    const middleware = repeatCall(new Set(["a.read"])) as unknown as {
      created(broker: object): void;
      call(next: Next): Next;
    };
    const endpoints = Object.entries(isAvailable).map(([id, is]) => ({ id, isAvailable: is }));
    middleware.created({ registry: { getActionEndpoints: () => ({ endpoints }) } });
    const call = middleware.call(async (_target, _params, options = {}) => {
      asked.push((options as { nodeID?: string }).nodeID);
      const answer = answers[asked.length - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    });
    return { asked, call };
  }

  test("another one is asked, once", async () => {
    const away = answered("Service.Unavailable", "one");
    const { asked, call } = amongInstances({ one: true, two: true }, away, "answer");
    expect(await call("a.read", {})).toBe("answer");
    expect(asked).toEqual([undefined, "two"]);
    const both = amongInstances(
      { one: true, two: true },
      away,
      answered("Service.Unavailable", "two"),
      "never",
    );
    await expect(both.call("a.read", {})).rejects.toMatchObject({ nodeID: "two" });
    expect(both.asked).toEqual([undefined, "two"]);
  });

  test.each([
    ["there is no other", { one: true }],
    ["the breaker keeps the other one out", { one: true, two: false }],
  ])("%s: its answer stands", async (_, instances) => {
    const { asked, call } = amongInstances(instances, answered("Service.Unavailable", "one"), "never");
    await expect(call("a.read", {})).rejects.toMatchObject({ type: "Service.Unavailable", nodeID: "one" });
    expect(asked).toHaveLength(1);
  });

  test("an action that may be done once only is not repeated, nor a refusal of our own process", async () => {
    const { asked, call } = amongInstances({ one: true, two: true }, answered("Service.Unavailable", "one"));
    await expect(call("a.write", {})).rejects.toMatchObject({ nodeID: "one" });
    const own = amongInstances({ one: true, two: true }, answered("Service.Unavailable"));
    await expect(own.call("a.read", {})).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect([asked, own.asked]).toEqual([[undefined], [undefined]]);
  });

  test.each([
    ["Service.Unavailable", answered("Service.Unavailable", "two"), false],
    ["Service.OutcomeUnknown", answered("Service.Unavailable", "two"), true],
    ["Service.Unavailable", failure("REQUEST_REJECTED"), true],
  ] as const)(
    "%s, then %p: the caller is informed whether an earlier try may have done it",
    async (first, then, is) => {
      const options = { wasRepeated: false };
      const { call } = amongInstances({ one: true, two: true }, answered(first, "one"), then);
      await expect(call("a.read", {}, options)).rejects.toBe(then);
      expect(options).toEqual({ wasRepeated: is });
    },
  );

  test("the other one is gone meanwhile: the first answer stands", async () => {
    const { call } = amongInstances(
      { one: true, two: true },
      answered("Service.Unavailable", "one"),
      new NotTaken(),
    );
    await expect(call("a.read", {})).rejects.toMatchObject({ nodeID: "one" });
  });
});
