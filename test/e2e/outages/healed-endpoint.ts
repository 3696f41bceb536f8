/** An endpoint that fails and heals, with the waits between attempts that are shipped. */
import { expect } from "@jest/globals";
import { newAccounts } from "../../support/clients/accounts.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { nightlyTest } from "../../support/skipped.ts";
import { faultPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const FIRST_RETRY_MS = 30_000;

nightlyTest(
  "Active, Degraded at five failures, Active at the first success, and its waiting retries come before their time",
  async () => {
    const platform = await faultPlatform();
    const accounts = await newAccounts(platform, { partners: 1 });
    const { receiver, register, sendTest, history, untilStatus } = await webhookOwner(platform, accounts);
    await register();
    receiver.answer(500);
    for (let i = 0; i < 5; i += 1) await sendTest();
    await untilStatus("Degraded");
    expect((await history("?status=Pending")).total).toBe(5);
    receiver.answer(200);
    const healedAt = Date.now();
    await sendTest();
    await untilStatus("Active");
    await waitFor(async () => (await history("?status=Delivered")).total === 6, "all six");
    const retried = (await history()).items.filter(({ attemptCount }) => attemptCount === 2);
    expect(retried).toHaveLength(5);
    for (const { occurredAt, completedAt } of retried) {
      expect(Date.parse(completedAt ?? "")).toBeGreaterThanOrEqual(healedAt);
      expect(Date.parse(completedAt ?? "") - Date.parse(occurredAt)).toBeLessThan(FIRST_RETRY_MS);
    }
    await receiver.close();
  },
);
