/** An endpoint that fails for long is disabled; its owner enables it and replays the missed events. */
import { expect, test } from "@jest/globals";
import { newAccounts } from "../../support/clients/accounts.ts";
import { WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

test("an endpoint without success is disabled; enabled again, a replay delivers the missed events", async () => {
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
  await waitFor(async () => (await history("?status=Exhausted")).total === 2, "both to be given up");

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
  await waitFor(async () => (await history("?status=Delivered")).total === 2, "the replays");
  await untilStatus("Active");

  const rotated = await owner.post<{ webhookSecret: string }>(`${WEBHOOKS}/rotate-secret`);
  const key = rotated.body.value?.webhookSecret.slice("whsec_".length, -1) ?? "whsec_";
  await sendTest();
  for (const name of ["gateway", "webhook-registry", "delivery"] as const) {
    expect(platform.logs(name)).not.toContain(key);
    expect(platform.logs(name)).not.toContain("whsec_");
  }
  await receiver.close();
});
