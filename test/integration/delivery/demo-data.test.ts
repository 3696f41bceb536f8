/** The demo data's past: what was counted before it was moved is counted again where it lies now. */
import { expect, test } from "@jest/globals";
import { moveIntoThePast } from "../../../deploy/demo/move-into-the-past.ts";
import { COLLECTIONS as DELIVERY } from "../../../services/delivery/collections.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { tallyRepository } from "../../../services/delivery/history/tally.repository.ts";
import { dueAt, firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { COLLECTIONS as PROFILE } from "../../../services/profile/collections.ts";
import { DELIVERY_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { orderedId } from "../../../shared/ids.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { several } from "../../support/builders/records.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const NOW = Date.now();
const CUSTOMERS = 60;

const mongo = databaseOfFile("delivery", DELIVERY);

test("deliveries that were tallied before: each status has as many as its list", async () => {
  const { connection } = mongo;
  const customers = several(CUSTOMERS, () => aStoredProfile({ _id: orderedId(NOW) }));
  const { partnerId } = aStoredProfile();
  const deliveries = customers.map(({ _id: customerId }) => {
    const event = { _id: orderedId(NOW), partnerId, customerId, eventVersion: 1, occurredAt: new Date(NOW) };
    return {
      ...firstDelivery(
        { ...event, eventType: "business.profile.created" },
        { endpointId: "e", partition: 0, ...dueAt(NOW) },
      ),
      status: "Delivered",
    };
  });
  await collectionOf(connection, PROFILE.profiles).insertMany(customers as never);
  await collectionOf(connection, DELIVERY.deliveries).insertMany(deliveries as never);
  const tallies = tallyRepository(connection);
  expect(await tallies.count(partnerId, CUSTOMERS)).toBe(CUSTOMERS);

  const [profiles, retryWaitsMs] = [connection, [0, 30_000]];
  const excerpts = { seal: async () => null };
  await moveIntoThePast({ profiles, deliveries: connection, partnerId, excerpts, retryWaitsMs, nowMs: NOW });

  const history = historyRepository(connection);
  const counts = () =>
    Promise.all(
      DELIVERY_STATUSES.map(async (status) => {
        const filter = parseHistoryQuery({ status });
        const listed = await history.page(partnerId, filter, { skip: 0, after: null }, CUSTOMERS);
        return { status, listed: listed.length, total: await history.total(partnerId, filter) };
      }),
    );
  const before = await counts();
  expect(before).toEqual(before.map((each) => ({ ...each, total: each.listed })));
  expect(before.find(({ status }) => status === "Exhausted")?.listed).toBeGreaterThan(0);
  expect(await tallies.count(partnerId, CUSTOMERS)).toBe(CUSTOMERS);
  expect(await counts()).toEqual(before);
});
