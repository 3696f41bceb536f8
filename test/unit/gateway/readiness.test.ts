import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { createSystemReadiness, servicesFound } from "../../../gateway/http/readiness.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { createHealth } from "../../../shared/health.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Services that answer after a while; `asked` has one entry for each call. */
function aSystem({ answersAfterMs = 0 } = {}) {
  const asked: string[] = [];
  const away = new Set<string>();
  const health = createHealth();
  const call = async (action: string) => {
    asked.push(action);
    await new Promise((resolve) => setTimeout(resolve, answersAfterMs));
    if (away.has(action)) throw new Error("away");
    return { ready: true, checks: { mongodb: "ok" } };
  };
  const readiness = createSystemReadiness({ call } as unknown as ServiceBroker, health);
  const ask = async () => {
    const answer = readiness();
    await jest.advanceTimersByTimeAsync(answersAfterMs);
    return answer;
  };
  return { asked, away, health, readiness, ask };
}

describe("createSystemReadiness", () => {
  test("many who ask within a second: share one question to each service", async () => {
    const { asked, ask } = aSystem();
    for (let i = 0; i < 10; i += 1) expect((await ask()).ready).toBe(true);
    await jest.advanceTimersByTimeAsync(999);
    await ask();
    expect(asked.toSorted()).toEqual(SERVICE_NAMES.map((name) => `${name}.ready`).toSorted());
  });

  test("a caller during a running check waits for its answer, however long that takes", async () => {
    const { asked, readiness } = aSystem({ answersAfterMs: 1_900 });
    const first = readiness();
    await jest.advanceTimersByTimeAsync(1_500);
    const second = readiness();
    await jest.advanceTimersByTimeAsync(400);
    expect(await Promise.all([first, second])).toMatchObject([{ ready: true }, { ready: true }]);
    expect(asked).toHaveLength(SERVICE_NAMES.length);
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

  test("an answer that took longer than a second: is not old news for the next", async () => {
    const { asked, ask } = aSystem({ answersAfterMs: 1_500 });
    await ask();
    await ask();
    expect(asked).toHaveLength(2 * SERVICE_NAMES.length);
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
