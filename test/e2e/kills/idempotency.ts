/** Creates with an Idempotency-Key, each sent three times at once while gateway and profile are killed: one customer each. */
import { beforeAll, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import { repetitions } from "../../support/repetitions.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { killedPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const CREATES = repetitions({ short: 24, nightly: 1_000 });
const AT_ONCE = 8;
const KILLS = ["profile", "gateway"] as const;

let platform: TestPlatform;
let partner: PartnerClient;
beforeAll(async () => {
  platform = await killedPlatform();
  partner = await partnerClient(platform.demo);
}, 120_000);

/** As a client does it that gives up only with an answer: whatever is lost or under way is sent again. */
function untilAnswered(body: unknown, key: string) {
  return waitFor(
    async () => {
      const answer = await partner.send("POST", PROFILES, body, { "Idempotency-Key": key });
      return answer.status === 200 ? answer : null;
    },
    { what: "an answer", timeoutMs: 120_000, everyMs: 100 },
  );
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
      expect((await waitFor(() => partner.value("GET", reference), { what: "a read" })).customerId).toBe(
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
}, 600_000);
