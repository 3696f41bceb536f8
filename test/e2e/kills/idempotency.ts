/** Creates with an Idempotency-Key, sent three times at once or again after a lost answer, while gateway and profile are killed: one customer each. */
import { beforeAll, expect, test } from "@jest/globals";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { randomId } from "../../../shared/ids.ts";
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import { repetitions } from "../../support/repetitions.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const CREATES = repetitions({ short: 12, nightly: 1_000 });
const AT_ONCE = 8;
const KILLS = ["profile", "gateway"] as const;

let platform: TestPlatform;
let partner: PartnerClient;
beforeAll(async () => {
  platform = await journeyPlatform();
  partner = await partnerClient(platform.demo);
});

/** As a client does it that gives up only with an answer: whatever is lost or under way is sent again. */
function untilAnswered(body: unknown, key: string) {
  return waitFor(async () => {
    const answer = await partner.send("POST", PROFILES, body, { "Idempotency-Key": key });
    return answer.status === 200 ? answer : null;
  }, "an answer");
}

test(`${CREATES} creates, each three times at once under kill -9: as many customers, equal answers`, async () => {
  const customerIds = new Set<string>();
  let started = 0;
  let finished = 0;
  const kills = KILLS.map((name, index) => ({ name, after: ((index + 1) * CREATES) / 4 }));
  const work = async () => {
    while (started < CREATES) {
      started += 1;
      const body = aProfile({ partnerCustomerId: aReference() });
      const key = randomId();
      const answers = await Promise.all([1, 2, 3].map(() => untilAnswered(body, key)));
      const [first] = answers;
      for (const answer of answers) expect(answer.body).toEqual(first?.body);
      const reference = `${PROFILES}/by-reference/${body.partnerCustomerId}`;
      expect((await waitFor(() => partner.value("GET", reference), "a read")).customerId).toBe(
        first?.value.customerId,
      );
      customerIds.add(first?.value.customerId);
      finished += 1;
      const [kill] = kills;
      if (kill && finished >= kill.after) platform.kill(kills.shift()?.name ?? kill.name, "SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(customerIds.size).toBe(CREATES);
  expect(kills).toEqual([]);
  await platform.untilReady();
});

const ATTEMPTS = 20;
/** More than a service needs for a create that it has got; it only ends an attempt that came too early. */
const STORED_WITHIN_MS = 3_000;

/** Stops the gateway while its call is with the profile service; null when it was stopped before it made the call. */
async function storedUnanswered(body: { partnerCustomerId?: unknown }, key: string) {
  platform.kill("profile", "SIGSTOP");
  const answer = partner.send("POST", PROFILES, body, { "Idempotency-Key": key }).catch(() => "no answer");
  // Answered after the create has been read, so that its call is on its way.
  await partner.send("GET", "/api/customer/v1/session");
  platform.kill("gateway", "SIGSTOP");
  platform.kill("profile", "SIGCONT");
  const partnerCustomerId = String(body.partnerCustomerId);
  const profiles = (await platform.database("profile")).collection<StoredProfile>("business_profiles");
  const stored = await waitFor(() => profiles.findOne({ partnerCustomerId }), {
    what: "the customer",
    timeoutMs: STORED_WITHIN_MS,
  }).catch(() => null);
  if (!stored) platform.kill("gateway", "SIGCONT");
  else platform.kill("gateway", "SIGKILL");
  return { answer: await answer, stored };
}

test("the gateway killed when the customer is stored and before it is answered: the same request finds that customer", async () => {
  let killed = 0;
  for (let attempt = 0; attempt < ATTEMPTS && killed === 0; attempt += 1) {
    await platform.untilReady();
    const body = aProfile({ partnerCustomerId: aReference() });
    const key = randomId();
    const { answer, stored } = await storedUnanswered(body, key);
    const again = await untilAnswered(body, key);
    if (stored === null) continue;
    killed += 1;
    expect(answer).toBe("no answer");
    expect(again.value.customerId).toBe(stored._id);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  }
  expect(killed).toBe(1);
});
