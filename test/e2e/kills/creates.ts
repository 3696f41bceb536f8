import { beforeAll, expect, test } from "@jest/globals";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { faultPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const CREATES = 400;
const AT_ONCE = 16;
const KILL_AFTER = [CREATES / 4, (CREATES * 5) / 8];

let platform: TestPlatform;
let partner: PartnerClient;
beforeAll(async () => {
  platform = await faultPlatform();
  // A partner of its own, so that all it has is of this test.
  partner = await partnerClient(await newAccounts(platform, { partners: 1 }));
});

type Outcome = {
  partnerCustomerId: string;
  status: number | "no answer";
  code: string | null;
  customerId: string | null;
};

async function createOne(): Promise<Outcome> {
  const partnerCustomerId = aReference();
  try {
    const { status, code, value } = await partner.send("POST", PROFILES, aProfile({ partnerCustomerId }));
    return { partnerCustomerId, status, code, customerId: value?.customerId ?? null };
  } catch {
    return { partnerCustomerId, status: "no answer", code: null, customerId: null };
  }
}

async function createMany(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const kills = [...KILL_AFTER];
  let started = 0;
  const work = async () => {
    while (started < CREATES) {
      started += 1;
      const outcome = await createOne();
      outcomes.push(outcome);
      if (outcome.status !== 200) await platform.untilReady();
      if (outcomes.length < (kills[0] ?? Number.POSITIVE_INFINITY)) continue;
      kills.shift();
      platform.kill("profile", "SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

test("every 200 exists once, complete and with its events; everything else left nothing, unless it says that this is unknown", async () => {
  const pidBefore = platform.pidOf("profile");
  const outcomes = await createMany();
  await platform.untilReady();
  expect(platform.pidOf("profile")).not.toBe(pidBefore);

  const profiles = (await platform.database("profile")).collection<StoredProfile>("business_profiles");
  const ofPartner = { partnerId: partner.partnerId };
  const stored = await profiles.find(ofPartner).toArray();
  const byReference = Map.groupBy(stored, ({ partnerCustomerId }) => partnerCustomerId);
  const created = outcomes.filter(({ status }) => status === 200);
  expect(created.length).toBeGreaterThan(CREATES / 2);
  for (const { partnerCustomerId, customerId } of created) {
    const found = byReference.get(partnerCustomerId) ?? [];
    expect(found.map(({ _id }) => _id)).toEqual([customerId]);
    expect(found[0]?.people).toHaveLength(3);
    expect(found[0]?.sequence).toBe(4);
  }
  const refused = outcomes.filter(({ status, code }) => status !== 200 && code !== "Service.OutcomeUnknown");
  const leftovers = refused.filter(({ partnerCustomerId }) => byReference.has(partnerCustomerId));
  expect({ refused: refused.length, leftovers }).toEqual({ refused: expect.any(Number), leftovers: [] });
  const unknown = outcomes.filter(({ code }) => code === "Service.OutcomeUnknown");
  expect(unknown.length).toBeLessThanOrEqual(KILL_AFTER.length * AT_ONCE);

  const events = (await platform.database("delivery")).collection<EventRecord>("events");
  const expected = stored.length * 4;
  await waitFor(async () => (await events.countDocuments(ofPartner)) >= expected, {
    what: `${expected} events to be recorded`,
    everyMs: 250,
  });
  const sequences = Map.groupBy(await events.find(ofPartner).toArray(), ({ customerId }) => customerId);
  for (const { customerId } of created)
    expect((sequences.get(customerId) ?? []).map(({ sequence }) => sequence).toSorted()).toEqual([
      1, 2, 3, 4,
    ]);
  expect(sequences.size).toBe(stored.length);
});
