/** Calls between processes on a NATS server of this file's own, which it may stop. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Context } from "moleculer";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { type OwnNats, startOwnNats } from "../../support/servers/own-nats.ts";
import { openStage, type Settings, type Stage } from "../../support/stage/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let nats: OwnNats;
let stage: Stage;

beforeAll(async () => {
  nats = await startOwnNats();
});
afterEach(async () => {
  await nats.start();
  await stage.stop();
});
afterAll(() => nats.end());

async function startPair(
  handler: (params: { n: number; text?: string }) => unknown,
  settings: Settings = {},
) {
  stage = openStage({ PBO_NATS_URL: nats.url, PBO_LOG_LEVEL: "silent", ...settings });
  const profile = () => ({
    name: "profile",
    actions: {
      count: { visibility: "public", handler: (ctx: Context<{ n: number }>) => handler(ctx.params) },
    },
  });
  const [caller] = await Promise.all([stage.start("gateway", []), stage.start("profile", [profile])]);
  await stage.untilMet();
  return {
    caller,
    call: (params: object) => caller.call("profile.count", params) as Promise<unknown>,
    pending: () =>
      (caller.transit as unknown as { pendingRequests: Map<string, unknown> }).pendingRequests.size,
    ready: async () => (await runtimeOf(caller).health.readiness()).ready,
  };
}

describe("calls between processes", () => {
  test("many at once: each gets its own answer, and they arrive in the order they were made", async () => {
    const seen: number[] = [];
    const { call } = await startPair(({ n }) => {
      seen.push(n);
      return { n };
    });
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => call({ n })))).toEqual(numbers.map((n) => ({ n })));
    expect(seen).toEqual(numbers);
  });

  test("while the broker is away: refused at once, and never carried out later", async () => {
    const seen: number[] = [];
    const { call, pending, ready } = await startPair(({ n }) => {
      seen.push(n);
      return { n };
    });
    await nats.stop();
    await waitFor(async () => !(await ready()), { what: "readiness to notice" });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => call({ n: 1 })));
    // Refused, and not given up at the deadline, which would be a REQUEST_TIMEOUT.
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { type: "Service.Unavailable", code: 503 },
      });
    expect(pending()).toBe(0);

    await nats.start();
    await waitFor(async () => await call({ n: 2 }), { what: "calls to work again" });
    expect(seen).not.toContain(1);
    expect(await ready()).toBe(true);
  });

  test("a broker that freezes in the middle of a call: the call fails by its deadline, and all goes on afterwards", async () => {
    const { call } = await startPair(({ n }) => ({ n }), { PBO_REQUEST_TIMEOUT_MS: "2000" });
    await nats.freeze();
    try {
      await expect(call({ n: 1 })).rejects.toMatchObject({ type: "REQUEST_TIMEOUT" });
    } finally {
      nats.thaw();
    }
    await waitFor(() => call({ n: 2 }), { what: "calls to work again" });
  });

  test("a request that does not fit into one message: 413, and the process lives on", async () => {
    const { call, pending } = await startPair(({ text = "" }) => ({ length: text.length }));
    await expect(call({ n: 1, text: "x".repeat(70_000_000) })).rejects.toMatchObject({
      type: "Request.TooLarge",
      code: 413,
    });
    expect(pending()).toBe(0);
    expect(await call({ n: 1, text: "x".repeat(4_700_000) })).toEqual({ length: 4_700_000 });
  });

  test("a stop while the broker is away: ends without waiting for it", async () => {
    const { caller, ready } = await startPair(({ n }) => ({ n }));
    await nats.stop();
    await waitFor(async () => !(await ready()), { what: "readiness to notice" });
    await stage.end(caller);
  });
});
