import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { createSystemReadiness, servicesFound } from "../../../gateway/http/readiness.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { createHealth } from "../../../shared/health.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** `asked` has one entry for each call. */
function aSystem() {
  const asked: string[] = [];
  const away = new Set<string>();
  const health = createHealth();
  const call = async (action: string) => {
    asked.push(action);
    if (away.has(action)) throw new Error("away");
    return { ready: true, checks: { mongodb: "ok" } };
  };
  const ask = createSystemReadiness({ call } as unknown as ServiceBroker, health);
  return { asked, away, health, ask };
}

describe("createSystemReadiness", () => {
  test("many who ask within a second: share one question to each service", async () => {
    const { asked, ask } = aSystem();
    for (let i = 0; i < 10; i += 1) expect((await ask()).ready).toBe(true);
    await jest.advanceTimersByTimeAsync(999);
    await ask();
    expect(asked.toSorted()).toEqual(SERVICE_NAMES.map((name) => `${name}.ready`).toSorted());
  });

  test("a service that goes away and comes back: seen after a second each", async () => {
    const { away, ask } = aSystem();
    expect((await ask()).ready).toBe(true);
    away.add("profile.ready");
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await ask()).toMatchObject({ ready: false, checks: { profile: "unavailable", document: "ok" } });
    away.clear();
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await ask()).ready).toBe(true);
  });

  test("the gateway's own stop: seen at once", async () => {
    const { health, ask } = aSystem();
    expect((await ask()).ready).toBe(true);
    health.startDraining();
    expect(await ask()).toMatchObject({ ready: false, checks: { draining: "draining" } });
  });
});

test("a gateway that has just begun: not ready until it found every service once, or for ten seconds", () => {
  const found = new Set<string>();
  const registry = { hasService: (name: string) => found.has(name) };
  const check = servicesFound({ registry } as unknown as ServiceBroker);
  expect(check).toThrow("not found yet");
  for (const name of SERVICE_NAMES) found.add(name);
  check();
  found.clear();
  check();

  const patient = servicesFound({ registry } as unknown as ServiceBroker);
  expect(patient).toThrow("not found yet");
  jest.advanceTimersByTime(10_000);
  patient();
});
