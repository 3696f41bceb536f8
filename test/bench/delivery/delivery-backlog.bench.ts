/** Retries that wait must not slow down what is new. */
import { randomUUID } from "node:crypto";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { SETTINGS } from "../../../shared/config/config.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import { anEvent } from "../frame/an-event.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { deliverAll } from "./deliver-all.ts";
import { type DeliveryPath, openDeliveryPath } from "./delivery-path.ts";

const WITHOUT: FloorFacts = {
  name: "without them",
  fairBecause:
    "the same services, events and receiver in a namespace of their own; only the waiting retries are missing",
  goals: [{ measure: "rate", atLeast: 0.95 }],
};
const WAITING = 100_000;
const PARTITIONS = Number(SETTINGS.deliveryPartitions.default);
const ENDPOINTS = 100;
const PER_INSERT = 2_000;
const HOUR_MS = 3_600_000;

export const bench: BenchSpec = {
  name: `first attempts beside ${WAITING.toLocaleString("en-US")} waiting retries`,
  issue: 6,
  async setup(env) {
    const quiet = await openDeliveryPath(env);
    const busy = await openDeliveryPath(env, { PBO_NAMESPACE: `${env.namespace}b` });
    await insertWaiting(busy);
    return {
      workload: { name: "beside them", run: await deliverAll(busy) },
      floors: [{ ...WITHOUT, run: await deliverAll(quiet) }],
    };
  },
};

/** As after a failed first attempt: due in one to 36 hours. */
async function insertWaiting(path: DeliveryPath): Promise<void> {
  const partners = await Promise.all(Array.from({ length: ENDPOINTS }, () => path.aPartner()));
  const endpoints = partners.map((partnerId) => ({ partnerId, endpointId: randomUUID() }));
  for (let done = 0; done < WAITING; done += PER_INSERT) {
    const records = Array.from({ length: PER_INSERT }, (_, i) => {
      const { partnerId, endpointId } = endpoints[i % ENDPOINTS] ?? { partnerId: "", endpointId: "" };
      const dueMs = Date.now() + HOUR_MS * (1 + (i * 35) / PER_INSERT);
      const entry = anEvent(partnerId);
      const occurredAt = new Date(entry.occurredAt);
      const event = { ...entry, _id: entry.eventId, eventVersion: 1, customerId: null, occurredAt };
      const place = { endpointId, partition: partitionOf(partnerId, PARTITIONS) };
      const times = { createdAtMs: Date.now(), nextAttemptAtMs: dueMs, claimableAtMs: dueMs };
      return { ...firstDelivery(event, { ...place, ...times }), attemptCount: 1, lastStatusCode: 500 };
    });
    await path.deliveries.insertMany(records as never, { ordered: false });
  }
}
