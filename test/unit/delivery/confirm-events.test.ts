import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { type Confirmed, createConfirmer } from "../../../services/delivery/intake/confirm-events.ts";

const warn = jest.fn();
const logger = Object.assign(pino({ level: "silent" }), { warn });

function aSource() {
  const calls: { eventIds: readonly string[]; end(error?: Error): void }[] = [];
  const confirm = (events: readonly Confirmed[]) =>
    new Promise<void>((resolve, reject) => {
      const eventIds = events.map(({ _id }) => _id);
      calls.push({ eventIds, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { calls, confirm };
}

const some = (...ids: string[]): Confirmed[] => ids.map((_id) => ({ _id, partnerId: "p1" }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  warn.mockClear();
  jest.useRealTimers();
});

describe("createConfirmer", () => {
  test("while one call is under way: gathers the rest into one next call", async () => {
    const { calls, confirm } = aSource();
    const confirmer = createConfirmer({ confirm, logger });
    confirmer.add(some("1"));
    confirmer.add(some("2"));
    confirmer.add(some("3"));
    await turn();
    expect(calls.map(({ eventIds }) => eventIds)).toEqual([["1", "2", "3"]]);
    confirmer.add(some("4"));
    confirmer.add(some("5"));
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    while (calls.length < 2) await turn();
    expect(calls[1]).toMatchObject({ eventIds: ["4", "5"] });
    calls[1]?.end();
    await confirmer.stop();
  });

  test("a call confirms at most 500 events", async () => {
    const sizes: number[] = [];
    const confirm = async (events: readonly Confirmed[]) => void sizes.push(events.length);
    const confirmer = createConfirmer({ confirm, logger });
    for (const count of [0, 300, 200, 1_200])
      confirmer.add(some(...Array.from({ length: count }, (_, i) => String(i))));
    await confirmer.stop();
    expect(sizes).toEqual([500, 500, 500, 200]);
  });

  test("profile fails: six tries with growing waits, then its reconciler takes over", async () => {
    jest.useFakeTimers();
    let tries = 0;
    const confirm = async () => {
      tries += 1;
      throw new Error("away");
    };
    createConfirmer({ confirm, logger }).add(some("1"));
    const counts: number[] = [];
    for (const ms of [0, 249, 1, 500, 1_000, 2_000, 3_999, 1, 60_000]) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(tries);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 5, 6, 6]);
    const told = { err: expect.any(Error), events: 1 };
    expect(warn).toHaveBeenLastCalledWith(told, "events.not_confirmed");
  });

  test("profile hangs: what waited for a minute is left to its reconciler", async () => {
    jest.useFakeTimers();
    const { calls, confirm } = aSource();
    const confirmer = createConfirmer({ confirm, logger });
    for (const id of ["1", "2"]) {
      confirmer.add(some(id));
      await jest.advanceTimersByTimeAsync(0);
    }
    await jest.advanceTimersByTimeAsync(59_999);
    confirmer.add(some("3"));
    await jest.advanceTimersByTimeAsync(1);
    calls[0]?.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(calls.map(({ eventIds }) => eventIds)).toEqual([["1"], ["3"]]);
  });

  test("profile is away for long: twenty thousand confirmations wait, more are dropped", async () => {
    const first = Promise.withResolvers<void>();
    let sum = 0;
    const confirmer = createConfirmer({
      async confirm(events) {
        await first.promise;
        sum += events.length;
      },
      logger,
    });
    confirmer.add(some("first"));
    await turn();
    for (let index = 0; index <= 20_000; index += 1) confirmer.add(some(String(index)));
    first.resolve();
    await confirmer.stop();
    expect(sum).toBe(20_001);
  });

  test("stop ends the wait for the next try", async () => {
    let tries = 0;
    const confirmer = createConfirmer({
      confirm: async () => {
        tries += 1;
        throw new Error("away");
      },
      logger,
    });
    confirmer.add(some("1"));
    while (tries === 0) await turn();
    await confirmer.stop();
    expect(tries).toBe(1);
  });

  test("nothing to confirm: no call, and the next is not blocked by it", async () => {
    const { calls, confirm } = aSource();
    const confirmer = createConfirmer({ confirm, logger });
    confirmer.add(some());
    confirmer.add(some("1"));
    await turn();
    expect(calls.map(({ eventIds }) => eventIds)).toEqual([["1"]]);
    calls[0]?.end();
    await confirmer.stop();
  });
});
