import { describe, expect, test } from "@jest/globals";
import { repeatCall } from "../../../shared/repeat-call.ts";

type Next = (target: unknown, params: unknown) => Promise<unknown>;
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
    const { call } = scripted(failure("REQUEST_REJECTED"), failure("Customer.NotFound"));
    await expect(call("a.read", {})).rejects.toMatchObject({ type: "Customer.NotFound" });
  });

  test("an action that may not be made twice: never repeated", async () => {
    const { call, targets } = scripted(failure("REQUEST_REJECTED"), "answer");
    await expect(call("a.write", {})).rejects.toMatchObject({ type: "REQUEST_REJECTED" });
    expect(targets).toHaveLength(1);
  });
});
