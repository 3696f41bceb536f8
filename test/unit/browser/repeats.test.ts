/** When a journey of the browser is done a second time: nearly never. */
import { describe, expect, test } from "@jest/globals";
import { WaitExpired } from "../../../deploy/local/poll.ts";
import { createRepeats } from "../../support/browser/repeats.ts";
import { waitFor } from "../../support/wait-for.ts";

function setUp() {
  const said: string[] = [];
  const repeats = createRepeats((line) => void said.push(line), 2);
  /** Each attempt has an error, problems of its pages, or nothing. */
  const journey = async (attempts: (Error | string[] | null)[], isStarved = true) => {
    let made = 0;
    const attempt = () => attempts[made - 1];
    const work = async () => {
      made += 1;
      const failure = attempt();
      if (failure instanceof Error) throw failure;
    };
    const closeAll = async () => [attempt()].flat().filter((one) => typeof one === "string");
    const outcome = await repeats({ work, closeAll, time: { isStarved: () => isStarved } }).then(
      () => "passed",
      (error: Error) => error.message,
    );
    return { outcome, made };
  };
  return { journey, said };
}
const late = () => new WaitExpired("a page: not within 5 ms");

describe("a journey", () => {
  test("a journey that passes is done once", async () => {
    const { journey, said } = setUp();
    expect(await journey([null])).toEqual({ outcome: "passed", made: 1 });
    expect(said).toEqual([]);
  });

  test.each([
    ["of waitFor", () => waitFor(() => false, { what: "a page", timeoutMs: 1 })],
    ["of the browser", () => Promise.reject(Object.assign(new Error("no"), { name: "TimeoutError" }))],
  ])(
    "after an expired wait %s on a machine that is held up: is done again, and said so",
    async (_name, wait) => {
      const { journey, said } = setUp();
      const error = (await wait().catch((expired: Error) => expired)) as Error;
      expect(await journey([error, null])).toEqual({ outcome: "passed", made: 2 });
      expect(said).toHaveLength(1);
    },
  );

  test.each<[string, (Error | string[])[], boolean]>([
    ["an expired wait on a machine that runs", [late()], false],
    ["a wrong text", [new Error("expected another text")], true],
    ["problems of the page", [["policy: script-src"]], true],
    ["an error whose cause is an expired wait", [new Error("wrong", { cause: late() })], true],
  ])("with %s: fails at once", async (_name, attempts, isStarved) => {
    const { journey, said } = setUp();
    const { outcome, made } = await journey(attempts, isStarved);
    expect([outcome === "passed", made, said]).toEqual([false, 1, []]);
  });

  test("late and with problems of the page: fails with the problems", async () => {
    const repeats = createRepeats(() => undefined, 2);
    const attempt = { work: () => Promise.reject(late()), closeAll: async () => ["page error: x"] };
    await expect(repeats({ ...attempt, time: { isStarved: () => true } })).rejects.toThrow("page error: x");
  });

  test("the third that would be done again: fails, and so does a second attempt", async () => {
    const { journey } = setUp();
    expect(await journey([late(), late()])).toEqual({ outcome: late().message, made: 2 });
    expect(await journey([late(), null])).toEqual({ outcome: "passed", made: 2 });
    expect(await journey([late(), null])).toEqual({
      outcome: "More than 2 journeys of this run had an expired wait.",
      made: 1,
    });
  });
});
