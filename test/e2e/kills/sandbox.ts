/** kill -9 of the profile service while test customers are decided by their names: each is decided, and once. */
import { beforeAll, expect, test } from "@jest/globals";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { SELF_DECIDING_NAMES } from "../../../services/profile/review/sandbox.schemas.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const OF_EACH_NAME = 8;

let platform: TestPlatform;
let twin: PartnerClient;
beforeAll(async () => {
  platform = await journeyPlatform();
  const partners = platform.demo.partners.map((partner) => ({ ...partner, ...partner.sandbox }));
  twin = await partnerClient({ ...platform.demo, partners });
});

const countDecided = async (customerIds: readonly string[]): Promise<number> =>
  (await platform.database("profile")).collection<StoredProfile>("business_profiles").countDocuments({
    _id: { $in: [...customerIds] },
    verificationStatus: { $ne: "PendingVerification" },
  });

test("killed before the first decision and in the middle of them: every outcome is that of its name, with one event", async () => {
  const wanted = Object.entries(SELF_DECIDING_NAMES).flatMap((entry) => Array(OF_EACH_NAME).fill(entry));
  const customers = await Promise.all(
    wanted.map(([companyName]) => twin.create(aSmallProfile({ companyName }))),
  );
  const ids = customers.map(({ customerId }) => customerId as string);
  platform.kill("profile", "SIGKILL");
  await waitFor(async () => (await countDecided(ids)) > 0, { what: "a decision", everyMs: 10 });
  platform.kill("profile", "SIGKILL");

  await waitFor(async () => (await countDecided(ids)) === ids.length, "all decisions");
  await platform.untilReady();
  const events = (await platform.database("delivery")).collection<EventRecord>("events");
  const decisions = { customerId: { $in: ids }, eventType: "business.verification.updated" };
  await waitFor(async () => (await events.countDocuments(decisions)) >= ids.length, "the events");
  const told = (await events.find(decisions).toArray()).map(({ customerId }) => customerId);
  expect(told.toSorted()).toEqual(ids.toSorted());
  for (const [index, id] of ids.entries())
    expect((await twin.value("GET", `${PROFILES}/${id}/verification-status`)) as Loose).toMatchObject({
      history: [{ status: "PendingVerification" }, { status: wanted[index]?.[1] }],
    });
});
