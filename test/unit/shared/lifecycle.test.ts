import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../shared/config/config.ts";
import { createHealth } from "../../../shared/health.ts";
import { createLifecycle, stopOnSignals } from "../../../shared/process/lifecycle.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";

const logger = createLogger({ logLevel: "silent", process: "delivery" });
afterEach(() => void jest.restoreAllMocks());

describe("a stop by signal", () => {
  test("not ready at once, then the drain to its end, only then the broker and the connections, once", async () => {
    const steps: string[] = [];
    const health = createHealth();
    const lifecycle = createLifecycle(logger);
    const step = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${name} ends`);
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
    let signal: (name: string) => void = () => undefined;
    jest.spyOn(process, "on").mockImplementation(((name: string, listener: () => void) => {
      if (name === "SIGTERM") signal = listener;
      return process;
    }) as never);
    const exited = new Promise<unknown>((resolve) => {
      jest.spyOn(process, "exit").mockImplementation(((code: unknown) => resolve(code)) as never);
    });
    const config = { stopDelayMs: 0, stopDeadlineMs: 60_000 } as Config;
    stopOnSignals({ stop } as unknown as ServiceBroker, { config, logger, health, lifecycle });
    signal("SIGTERM");
    expect(health.isDraining()).toBe(true);
    signal("SIGTERM");
    expect(await exited).toBe(0);
    expect(steps).toEqual(
      ["drain", "broker", "close of the second", "close of the first"].flatMap((name) => [
        `${name} begins`,
        `${name} ends`,
      ]),
    );
  });
});
