/** kill -9 of the delivery service: with requests in flight, and with answers whose outcome it has not recorded. */
import { expect, test } from "@jest/globals";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Fewer than an endpoint may have in flight. */
const EVENTS = 12;
const KILLS = 2;

test(`${KILLS} kills with attempts in flight: each of ${EVENTS} events arrives, and is recorded as delivered once`, async () => {
  const platform = await journeyPlatform();
  const accounts = await newAccounts(platform, { partners: 1, roles: ["Owner"] });
  const { receiver, register } = await webhookOwner(platform, accounts);
  await register();
  const partner = await partnerClient(accounts);
  const killed = () => platform.said().filter((line) => line.startsWith("delivery was ended by SIGKILL"));
  const before = killed().length;

  receiver.answer(() => undefined);
  await Promise.all(Array.from({ length: EVENTS }, () => partner.create(aSmallProfile())));
  await receiver.waitForRequests(EVENTS);
  let answered = 0;
  receiver.answer((_request, response) => {
    response.writeHead(200).end();
    answered += 1;
    if (answered === EVENTS / 2) platform.kill("delivery");
  });
  platform.kill("delivery");

  const deliveries = (await platform.database("delivery")).collection<DeliveryRecord>("deliveries");
  const { partnerId } = partner;
  const delivered = () => deliveries.countDocuments({ partnerId, status: "Delivered" });
  await waitFor(async () => (await delivered()) >= EVENTS, "all deliveries");
  const records = await deliveries.find({ partnerId }).toArray();
  expect(new Set(records.map(({ eventId }) => eventId)).size).toBe(EVENTS);
  expect(records).toHaveLength(EVENTS);
  const successes = records.map(
    ({ attempts }) => attempts.filter(({ statusCode }) => statusCode === 200).length,
  );
  expect(successes).toEqual(Array(EVENTS).fill(1));
  const received = receiver.requests.map(({ headers }) => headers["svc-event-id"]);
  expect(new Set(received)).toEqual(new Set(records.map(({ eventId }) => eventId)));
  // Only an attempt that was in flight at a kill has no record.
  const unrecorded = received.length - records.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
  expect(unrecorded).toBeGreaterThan(0);
  expect(unrecorded).toBeLessThanOrEqual(KILLS * EVENTS);
  expect(killed()).toHaveLength(before + KILLS);
  await receiver.close();
});
