/** A link to the database that breaks, again and again: whatever was accepted is sent when it holds. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { repetitions } from "../../support/repetitions.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let link: Link;
let stage: DeliveryStage;
beforeAll(async () => {
  link = await startLink(testServers().mongodbUri);
  stage = await startDeliveryStage({ PBO_MONGODB_URI: link.url, PBO_DELIVERY_LEASE_MS: "5000" });
});
afterAll(async () => {
  await stage.stop();
  await link.close();
});

const ROUNDS = repetitions({ short: 6, nightly: 12 });
const PER_ROUND = 40;

test.each([
  ["reset", () => link.cut()],
  ["ended by the server", () => link.halfClose()],
  [
    "held, then reset",
    () => {
      link.set("hold");
      setTimeout(() => {
        link.set("pass");
        link.cut();
      }, 150);
    },
  ],
] as const)("connections %s many times within seconds: every event is sent", async (_how, breakLink) => {
  const { partnerId, receiver } = await stage.aPartner();
  const sent: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const entries = Array.from({ length: PER_ROUND }, () => stage.anEvent(partnerId));
    sent.push(...entries.map(({ eventId }) => eventId));
    await stage.publish(entries);
    await sleep(round % 3 ? 60 : 300);
    breakLink();
  }
  link.set("pass");
  await waitFor(
    async () => {
      const { total } = await stage.list(partnerId, { status: "Delivered" }).catch(() => ({ total: 0 }));
      if (total !== sent.length) throw new Error(`${total} of ${sent.length}`);
      return true;
    },
    { what: "every delivery", everyMs: 250 },
  );
  const received = new Set(receiver.requests.map(({ headers }) => headers["svc-event-id"]));
  expect(sent.filter((id) => !received.has(id))).toEqual([]);
});
