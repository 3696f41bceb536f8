import { describe, expect, jest, test } from "@jest/globals";
import { createHealth } from "../../../shared/health.ts";

const fails = () => {
  throw new Error("canary: mongodb://user:password@host refused");
};

describe("health", () => {
  test("a process that requires nothing is ready", async () => {
    expect(await createHealth().readiness()).toEqual({ ready: true, checks: {} });
  });

  test("names each requirement, and is ready only when all are met", async () => {
    const health = createHealth();
    health.require("mongodb", async () => undefined);
    health.require("nats", fails);
    health.require("jetstream", async () => fails());
    const readiness = await health.readiness();
    expect(readiness).toEqual({
      ready: false,
      checks: { mongodb: "ok", nats: "unavailable", jetstream: "unavailable" },
    });
    expect(JSON.stringify(readiness)).not.toContain("canary");
  });

  test("asks anew each time, so it recovers by itself", async () => {
    const health = createHealth();
    let up = false;
    health.require("nats", () => (up ? undefined : fails()));
    expect((await health.readiness()).ready).toBe(false);
    up = true;
    expect((await health.readiness()).ready).toBe(true);
  });

  test("a requirement that does not answer: named within the deadline, the others not delayed by it", async () => {
    jest.useFakeTimers();
    try {
      const health = createHealth();
      health.require("mongodb", () => new Promise(() => undefined));
      health.require("nats", () => undefined);
      const asked = health.readiness();
      await jest.advanceTimersByTimeAsync(1_500);
      expect(await asked).toEqual({ ready: false, checks: { mongodb: "no answer", nats: "ok" } });
    } finally {
      jest.useRealTimers();
    }
  });

  test("draining: not ready whatever else is well", async () => {
    const health = createHealth();
    health.require("nats", () => undefined);
    expect(health.isDraining()).toBe(false);
    health.startDraining();
    expect(health.isDraining()).toBe(true);
    expect(await health.readiness()).toEqual({ ready: false, checks: { nats: "ok", draining: "draining" } });
  });

  test("a process that starts is not ready before it is up, although nothing it needs is missing", async () => {
    const health = createHealth();
    const started = health.startStarting();
    health.require("nats", () => undefined);
    expect(await health.readiness()).toEqual({ ready: false, checks: { nats: "ok", starting: "starting" } });
    started();
    expect(await health.readiness()).toEqual({ ready: true, checks: { nats: "ok" } });
  });
});
