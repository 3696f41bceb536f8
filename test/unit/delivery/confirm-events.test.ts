import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createConfirmer } from "../../../services/delivery/intake/confirm-events.ts";

const logger = pino({ level: "silent" });

function aSource() {
  const calls: { source: string; eventIds: readonly string[]; end(error?: Error): void }[] = [];
  const confirm = (source: string, eventIds: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      calls.push({ source, eventIds, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { calls, confirm };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("createConfirmer", () => {
  test("while one call is under way: gathers the rest into one next call, per source", async () => {
    const { calls, confirm } = aSource();
    const confirmer = createConfirmer({ confirm, logger });
    confirmer.add("profile", ["1"]);
    confirmer.add("profile", ["2"]);
    confirmer.add("document", ["9"]);
    confirmer.add("profile", ["3"]);
    expect(calls.map(({ source, eventIds }) => [source, eventIds])).toEqual([
      ["profile", ["1"]],
      ["document", ["9"]],
    ]);
    calls[0]?.end();
    await turn();
    expect(calls[2]).toMatchObject({ source: "profile", eventIds: ["2", "3"] });
    calls[1]?.end();
    calls[2]?.end();
    await turn();
    confirmer.add("profile", ["4"]);
    expect(calls[3]).toMatchObject({ eventIds: ["4"] });
    calls[3]?.end();
    await confirmer.stop();
  });

  test("a call of at most 500 ids", async () => {
    const sizes: number[] = [];
    const confirmer = createConfirmer({
      confirm: async (_, eventIds) => void sizes.push(eventIds.length),
      logger,
    });
    confirmer.add(
      "profile",
      Array.from({ length: 1_200 }, (_, i) => String(i)),
    );
    await confirmer.stop();
    expect(sizes).toEqual([500, 500, 200]);
  });

  test("a failing source: tried again as often as there are delays, then left", async () => {
    let tries = 0;
    const confirmer = createConfirmer({
      confirm: async () => {
        tries += 1;
        throw new Error("away");
      },
      logger,
      retryDelaysMs: [1, 1],
    });
    confirmer.add("profile", ["1"]);
    while (tries < 3) await turn();
    await confirmer.stop();
    expect(tries).toBe(3);
  });

  test("stop does not sit out the delays", async () => {
    let tries = 0;
    const confirmer = createConfirmer({
      confirm: async () => {
        tries += 1;
        throw new Error("away");
      },
      logger,
      retryDelaysMs: [3_600_000],
    });
    confirmer.add("profile", ["1"]);
    await turn();
    await confirmer.stop();
    expect(tries).toBe(2);
  });

  test("nothing to confirm: no call, and the source is not blocked by it", async () => {
    const { calls, confirm } = aSource();
    const confirmer = createConfirmer({ confirm, logger });
    confirmer.add("profile", []);
    confirmer.add("profile", ["1"]);
    expect(calls.length).toBe(1);
    calls[0]?.end();
    await confirmer.stop();
  });
});
