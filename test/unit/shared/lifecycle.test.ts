import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../shared/config/config.ts";
import { createHealth } from "../../../shared/health.ts";
import { createLifecycle, stopOnSignals, watchStart } from "../../../shared/process/lifecycle.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";

const logger = createLogger({ logLevel: "silent", process: "delivery" });
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Signals start an orderly stop, and each way to end has its exit code. */
function ofProcess() {
  const listeners = new Map<string, () => void>();
  const exits: unknown[] = [];
  jest.spyOn(process, "on").mockImplementation(((name: string, listener: () => void) => {
    listeners.set(name, listener);
    return process;
  }) as never);
  jest.spyOn(process, "exit").mockImplementation(((code: unknown) => exits.push(code)) as never);
  return { signal: (name: string) => listeners.get(name)?.(), exits };
}

describe("a stop by signal", () => {
  const config = { stopDelayMs: 1_000, stopDeadlineMs: 60_000, startDeadlineMs: 30_000 } as Config;

  test.each(["SIGTERM", "SIGINT"])(
    "%s: not ready immediately, the drain after its delay, then the broker and the connections, once",
    async (name) => {
      jest.useFakeTimers();
      const steps: string[] = [];
      const health = createHealth();
      const lifecycle = createLifecycle(logger);
      const step = (each: string) => async () => {
        steps.push(`${each} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        steps.push(`${each} ends`);
      };
      lifecycle.onDrain("work", step("drain"));
      lifecycle.onDrain("broken", async () => {
        throw new Error("a step that fails stops no other");
      });
      lifecycle.onClose("first", step("close of the first"));
      lifecycle.onClose("second", step("close of the second"));
      // As the broker of a process does.
      const stop = async () => {
        await step("broker")();
        await lifecycle.close();
      };
      const { signal, exits } = ofProcess();
      stopOnSignals({ stop } as unknown as ServiceBroker, { config, logger, health, lifecycle });
      signal(name);
      expect(health.isDraining()).toBe(true);
      signal(name);
      await jest.advanceTimersByTimeAsync(config.stopDelayMs - 1);
      expect(steps).toEqual([]);
      await jest.advanceTimersByTimeAsync(100);
      expect(exits).toEqual([0]);
      expect(steps).toEqual(
        ["drain", "broker", "close of the second", "close of the first"].flatMap((each) => [
          `${each} begins`,
          `${each} ends`,
        ]),
      );
    },
  );

  test("that does not come to its end: the process exits with 1 at the deadline", async () => {
    jest.useFakeTimers();
    const { signal, exits } = ofProcess();
    const lifecycle = createLifecycle(logger);
    lifecycle.onDrain("hangs", () => new Promise(() => undefined));
    stopOnSignals({} as ServiceBroker, { config, logger, health: createHealth(), lifecycle });
    signal("SIGTERM");
    await jest.advanceTimersByTimeAsync(60_999);
    expect(exits).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(exits).toEqual([1]);
  });

  test.each([
    [
      { MongoDB: "down", nats: "ok", starting: "down" },
      "delivery: not up after 30000 ms; cannot reach: MongoDB.\n",
    ],
    [{ starting: "down" }, "delivery: not up after 30000 ms; cannot reach: NATS.\n"],
  ])("a start that is not finished in time (%j): exit code 1 and the reason", async (checks, reason) => {
    jest.useFakeTimers();
    const { exits } = ofProcess();
    const written: unknown[] = [];
    jest.spyOn(process.stderr, "write").mockImplementation((text) => written.push(text) > 0);
    const health = { readiness: async () => ({ checks }) } as unknown as ReturnType<typeof createHealth>;
    const deps = { config: { ...config, process: "delivery" } as Config, logger, health };
    const started = watchStart(deps);
    watchStart(deps);
    started();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(exits).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect([exits, written]).toEqual([[1], [reason]]);
  });
});
