/** An endpoint that fails for long: disabled, enabled by its owner, and what it missed made good. */
import { expect, test } from "@jest/globals";
import { newAccounts } from "../../support/clients/accounts.ts";
import { WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

test("Degraded, Disabled after long without success; enabled, it says what it missed, and the replay delivers it", async () => {
  const platform = await journeyPlatform();
  const { owner, receiver, register, sendTest, history, untilStatus } = await webhookOwner(
    platform,
    await newAccounts(platform),
  );
  await register();
  receiver.answer(500);
  for (let i = 0; i < 2; i += 1) await sendTest();
  await untilStatus("Disabled");
  const record = (await owner.get<{ disabledReason: string }>(WEBHOOKS)).body.value;
  expect(record).toMatchObject({ status: "Disabled", disabledReason: "ConsecutiveFailures" });
  await waitFor(async () => (await history("?status=Exhausted")).total === 2, {
    what: "both to be given up",
  });

  receiver.answer(200);
  const enabled = (
    await owner.post<{ status: string; skipped: number; suggestedReplay: object }>(`${WEBHOOKS}/enable`)
  ).body.value;
  expect(enabled).toMatchObject({
    status: "Active",
    suggestedReplay: { from: expect.any(String), to: expect.any(String) },
  });
  const replay = await owner.post<{ created: number }>(`${WEBHOOKS}/replay`, {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date().toISOString(),
    status: "Exhausted",
  });
  expect(replay.body.value).toEqual({ created: 2, replaySeries: expect.any(String) });
  await waitFor(async () => (await history("?status=Delivered")).total === 2, { what: "the replays" });
  await untilStatus("Active");
  await receiver.close();
});
