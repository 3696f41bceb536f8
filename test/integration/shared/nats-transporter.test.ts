/** Calls between processes on a NATS server of this file's own, which it may stop. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Context } from "moleculer";
import { processEnv } from "../../../shared/config/config.ts";
import type { Caller, CallMeta } from "../../../shared/identity/caller.ts";
import type { NatsTransporter } from "../../../shared/moleculer/nats-transporter.ts";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { startLink } from "../../support/servers/link.ts";
import { startOwnNats } from "../../support/servers/own-nats.ts";
import { openStage, type Settings, type Stage } from "../../support/stage/stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const nats = ofFile(startOwnNats, ({ end }) => end());
let stage: Stage;
const partnerId = "01980000-0000-7000-8000-000000000001";
/** A client that both actions admit. */
const client: Caller = {
  kind: "partner",
  partnerId,
  clientId: "client",
  scopes: ["partner.read", "partner.write"],
};
const asClient = { meta: { caller: client } };
/** An action that waits for this does not answer while its test lasts. */
let hung = Promise.withResolvers<void>();

afterEach(async () => {
  hung.resolve();
  hung = Promise.withResolvers();
  await nats.start();
  await stage.stop();
});

async function startPair(
  handler: (params: { n: number; text?: string }, meta: CallMeta) => unknown,
  settings: Settings = {},
  ofCallee: Settings = {},
) {
  stage = openStage({ PBO_NATS_URL: nats.url, PBO_LOG_LEVEL: "silent", ...settings });
  const answer = (ctx: Context<{ n: number }, CallMeta>) => handler(ctx.params, ctx.meta);
  const profile = () => ({
    name: "profile",
    actions: {
      patch: { visibility: "public", handler: answer },
      // An action that may be repeated.
      get: { visibility: "public", handler: answer },
    },
  });
  const [caller, callee] = await Promise.all([
    stage.start("gateway", []),
    stage.start("profile", [profile], ofCallee),
  ]);
  await stage.untilMet();
  return {
    caller,
    callee,
    call: (params: object) => caller.call("profile.patch", params, asClient) as Promise<unknown>,
    repeatable: (params: object) => caller.call("profile.get", params, asClient) as Promise<unknown>,
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
    const { call, caller, pending, ready } = await startPair(({ n }) => {
      seen.push(n);
      return { n };
    });
    await nats.stop();
    const transporter = caller.transit?.tx as unknown as NatsTransporter;
    await waitFor(async () => !(await ready()) && !transporter.isUp(), "it to be noticed");
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => call({ n: 1 })));
    // Refused, and not given up at the deadline, which would be a REQUEST_TIMEOUT.
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { type: "Service.Unavailable", code: 503 },
      });
    expect(pending()).toBe(0);

    await nats.start();
    await waitFor(async () => await call({ n: 2 }), "calls to work again");
    expect(seen).not.toContain(1);
    expect(await ready()).toBe(true);
  });

  test("the broker goes in the middle of a call: the call ends then, not at its deadline", async () => {
    const begun = Promise.withResolvers<void>();
    const { call, pending } = await startPair(() => {
      begun.resolve();
      return hung.promise;
    });
    const outcome = expect(call({ n: 1 })).rejects.toMatchObject({ type: "REQUEST_REJECTED" });
    await begun.promise;
    await nats.stop();
    // The deadline would be a REQUEST_TIMEOUT.
    await outcome;
    expect(pending()).toBe(0);
  });

  test("the broker goes and comes back in the middle of calls that may be repeated: all are answered", async () => {
    const seen: number[] = [];
    const begun = Promise.withResolvers<void>();
    const { repeatable } = await startPair(async ({ n }) => {
      seen.push(n);
      if (seen.filter((one) => one === n).length > 1) return { n };
      if (seen.length === 5) begun.resolve();
      return hung.promise;
    });
    const answers = Promise.all([1, 2, 3, 4, 5].map((n) => repeatable({ n })));
    await begun.promise;
    await nats.stop();
    await nats.start();
    expect(await answers).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })));
  });

  test("the connection of the called process is lost: an answer it had ready arrives, a lost request is repeated", async () => {
    const link = await startLink(nats.url);
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let calls = 0;
    const { call, repeatable, callee } = await startPair(
      async ({ n }) => {
        calls += 1;
        if (calls === 2) begun.resolve();
        if (calls > 2) return { n, again: true };
        await finish.promise;
        return n === 1 ? { n } : hung.promise;
      },
      {},
      { PBO_NATS_URL: link.url },
    );
    const answered = call({ n: 1 });
    const repeated = repeatable({ n: 2 });
    await begun.promise;
    link.set("refuse");
    const transporter = callee.transit?.tx as unknown as NatsTransporter;
    await waitFor(() => !transporter.isUp(), "it to notice");
    finish.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    link.set("pass");
    expect(await answered).toEqual({ n: 1 });
    expect(await repeated).toEqual({ n: 2, again: true });
    hung.resolve();
    await stage.end(callee);
    await link.close();
  });

  test("a process that is gone is known before its heartbeats are missed: calls end, move to another, or are refused", async () => {
    const link = await startLink(nats.url);
    const begun = Promise.withResolvers<void>();
    const { call, repeatable, callee, caller } = await startPair(
      ({ n }) => {
        begun.resolve();
        return n === 1 ? hung.promise : { n };
      },
      {},
      { PBO_NATS_URL: link.url },
    );
    // This check removes a process after missed heartbeats.
    const { discoverer } = caller.registry as unknown as { discoverer: { checkRemoteNodes(): void } };
    discoverer.checkRemoteNodes = () => undefined;
    const pending = repeatable({ n: 1 });
    await begun.promise;
    link.set("refuse");
    const transporter = callee.transit?.tx as unknown as NatsTransporter;
    await waitFor(() => !transporter.isUp(), "it to be gone");
    await expect(call({ n: 2 })).rejects.toMatchObject({ type: "SERVICE_NOT_AVAILABLE" });
    const second = await stage.start("profile", [
      () => ({ name: "profile", actions: { get: { visibility: "public", handler: () => "second" } } }),
    ]);
    expect(await pending).toBe("second");
    link.set("pass");
    await waitFor(() => call({ n: 3 }), "the first to be found again");
    hung.resolve();
    await stage.end(second);
    await stage.end(callee);
    await link.close();
  });

  test("a deadline does not move with the calendar of the caller", async () => {
    const { caller } = await startPair((_params, meta) => {
      return { left: (meta.endsAt ?? 0) - performance.now() };
    });
    const real = Date.now;
    Date.now = () => real() + 10_800_000;
    try {
      const inTime = { meta: { caller: client, endsAt: performance.now() + 60_000 } };
      const { left } = (await caller.call("profile.patch", { n: 1 }, inTime)) as { left: number };
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000);
      const late = { meta: { caller: client, endsAt: performance.now() - 1 } };
      await expect(caller.call("profile.patch", { n: 1 }, late)).rejects.toMatchObject({
        type: "Service.Unavailable",
      });
    } finally {
      Date.now = real;
    }
  });

  test("a younger process whose calendar is ahead: is told a deadline in its own clock, and takes a call that is to end soon", async () => {
    stage = openStage({ PBO_NATS_URL: nats.url, PBO_LOG_LEVEL: "silent" });
    const caller = await stage.start("gateway", []);
    const { PATH = "" } = processEnv();
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "../../support/stage/callee-ahead.ts")],
      {
        env: { PATH, ...stage.settingsOf(), PBO_OPS_PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    try {
      await once(child.stdout, "data");
      await waitFor(() => caller.registry.hasService("profile", undefined as never), "it to be known");
      const call = () =>
        caller.call(
          "profile.patch",
          {},
          { meta: { caller: client, endsAt: performance.now() + 2_500 } },
        ) as Promise<{
          left: number;
        }>;
      const { left } = await waitFor(call, "an answer");
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(2_500);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("a request that waited in the broker until its caller gave up: is never begun", async () => {
    const seen: number[] = [];
    const { caller, call } = await startPair(({ n }) => {
      seen.push(n);
      return { n };
    });
    await nats.freeze();
    const options = { meta: { caller: client, endsAt: performance.now() + 500 }, timeout: 500 };
    try {
      await expect(caller.call("profile.patch", { n: 1 }, options)).rejects.toMatchObject({
        type: "REQUEST_TIMEOUT",
      });
    } finally {
      nats.thaw();
    }
    await waitFor(() => call({ n: 2 }), "calls to work again");
    expect(seen).not.toContain(1);
  });

  test("a broker that freezes in the middle of a call: the call fails by its deadline, and all goes on afterwards", async () => {
    const { call } = await startPair(({ n }) => ({ n }), { PBO_REQUEST_TIMEOUT_MS: "2000" });
    await nats.freeze();
    try {
      // By its deadline, or before it when the pings of a busy machine end the connection first.
      const type = expect.stringMatching(/^REQUEST_(TIMEOUT|REJECTED)$/);
      await expect(call({ n: 1 })).rejects.toMatchObject({ type });
    } finally {
      nats.thaw();
    }
    await waitFor(() => call({ n: 2 }), "calls to work again");
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
    await waitFor(async () => !(await ready()), "readiness to notice");
    await stage.end(caller);
  });
});
