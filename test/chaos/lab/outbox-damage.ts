/** Entries that no sweep can read, put into the outboxes of customers. */
import { orderedId } from "../../../shared/ids.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { withMongo } from "../../support/servers/with-client.ts";
import type { Snapshot } from "./checker.rules.ts";
import type { LabStage } from "./stage.ts";

const CUSTOMERS = 5;

const anEntry = (partnerId: string, eventId = orderedId(Date.now())) => ({
  ...{ eventId, eventType: "business.profile.updated", partnerId, traceparent: null },
  ...{ occurredAt: new Date(Date.now() - 3_600_000).toISOString(), body: JSON.stringify({ eventId }) },
});

/** The one with an id and a body that is no JSON leads the sweep to the others of its document. */
function damagedEntries(partnerId: string): unknown[] {
  const [one, two, three, four] = [1, 2, 3, 4].map(() => anEntry(partnerId));
  const { body: _body, ...withoutBody } = one ?? {};
  const { occurredAt: _date, ...withoutDate } = two ?? {};
  const { eventId: _id, ...withoutId } = three ?? {};
  return [null, withoutBody, withoutDate, withoutId, { ...four, body: "not json" }];
}

export const damageOutboxes = ({ addresses }: LabStage): Promise<Snapshot["damaged"]> =>
  withMongo(addresses.mongodbUri, async (client) => {
    const profiles = client.db(databaseName("", "profile")).collection("business_profiles");
    const customers = await profiles
      .find({}, { projection: { partnerId: 1 }, sort: { _id: -1 }, limit: CUSTOMERS })
      .toArray();
    const damaged = customers.map(({ _id, partnerId }) => ({
      customerId: String(_id),
      entries: damagedEntries(partnerId),
    }));
    for (const { customerId, entries } of damaged) {
      const push: object = { $push: { outbox: { $each: entries, $position: 0 } } };
      await profiles.updateOne({ _id: customerId as never }, push);
    }
    return damaged.map(({ customerId, entries }) => ({ customerId, entries: entries.length }));
  });
