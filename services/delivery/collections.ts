/** The collections of this service: type, indexes, and shard key or the reason against one. */
import { DEAD_LETTERS } from "../../shared/jetstream/dead-letters.ts";
import { collection } from "../../shared/mongo/collections.rules.ts";
import { PARTITIONS } from "../../shared/partitions/partition-table.repository.ts";
import { AUDIT_ENTRIES } from "../../shared/stores/audit-trail.repository.ts";
import type { EndpointState } from "./endpoint/endpoint-state.model.ts";
import type { ExcerptKey } from "./excerpt/excerpt-key.model.ts";
import type { Tally } from "./history/tally.rules.ts";
import type { DeliveryRecord } from "./records/delivery.model.ts";
import type { EventRecord } from "./records/event.model.ts";
import { EVENT_KEPT_SECONDS, RECORD_KEPT_SECONDS } from "./records/retention.rules.ts";
import type { ReplayJob } from "./replay/replay-job.model.ts";

const REPLAY_KEPT_SECONDS = 90 * 24 * 60 * 60;
const NEWEST_FIRST = { occurredAt: -1, _id: -1 } as const;

export const COLLECTIONS = {
  // The hashed id spreads a large partner over all shards; every query by id names the partner, too.
  events: collection<EventRecord>("events", {
    shards: { partnerId: 1, _id: "hashed" },
    indexes: [
      // Covers the queries of a replay window, which read index keys only.
      {
        key: { partnerId: 1, occurredAt: 1, _id: 1, endpointId: 1, eventType: 1, recordedAt: 1 },
        name: "window",
      },
      // For the search of events that were wrongly sent to no endpoint.
      {
        key: { partnerId: 1, recordedAt: 1 },
        name: "unrouted",
        partialFilterExpression: { endpointId: null },
      },
      // For the feed. The id decides only behind mongos, where two shards may produce the same time.
      { key: { partnerId: 1, feedAt: 1, _id: 1 }, name: "order" },
      // Events without a position in the feed.
      { key: { recordedAt: 1, _id: 1 }, name: "unplaced", partialFilterExpression: { feedAt: null } },
      // For the previous event of the same customer.
      { key: { customerId: 1, sequence: 1 }, name: "sequence" },
      { key: { recordedAt: 1 }, name: "expiry", expireAfterSeconds: EVENT_KEPT_SECONDS },
    ],
  }),
  deliveries: collection<DeliveryRecord>("deliveries", {
    shards: { partnerId: 1, _id: "hashed" },
    indexes: [
      // Serves every page of the history: queries enumerate the leading fields, and MongoDB merges by time.
      { key: { partnerId: 1, counted: 1, status: 1, eventType: 1, ...NEWEST_FIRST }, name: "history" },
      // For searches in the history. Partial, so that a delivery that no search finds costs nothing.
      {
        key: { customerId: 1, ...NEWEST_FIRST },
        name: "customer",
        partialFilterExpression: { customerId: { $gt: "" } },
      },
      {
        key: { replaySeries: 1, status: 1, ...NEWEST_FIRST },
        name: "series",
        partialFilterExpression: { replaySeries: { $gt: "" } },
      },
      {
        key: { partnerId: 1, lastFailure: 1, ...NEWEST_FIRST },
        name: "failures",
        partialFilterExpression: { lastFailure: { $gt: "" } },
      },
      // Sparse: contains pending deliveries only, because both fields are removed at the end. Begins with the partition.
      { key: { queue: 1, claimableAt: 1 }, name: "waiting", sparse: true },
      { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS },
    ],
  }),
  tallies: collection<Tally>("delivery_tallies", {
    // A partner has one per hour and day, for ninety days.
    shards: { partnerId: 1 },
    indexes: [
      { key: { partnerId: 1, kind: 1, at: 1 }, name: "spans" },
      // Together with the deliveries that they count.
      { key: { at: 1 }, name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS },
    ],
  }),
  replayJobs: collection<ReplayJob>("replay_jobs", {
    shards: "one per replay of a window",
    indexes: [
      { key: { claimableAt: 1 }, name: "open" },
      { key: { partnerId: 1, number: 1 }, name: "line", unique: true },
      { key: { finishedAt: 1 }, name: "expiry", expireAfterSeconds: REPLAY_KEPT_SECONDS },
    ],
  }),
  endpointStates: collection<EndpointState>("endpoint_states", {
    shards: "one per endpoint",
    // For the due loop: the endpoints of its partitions that are paused or recover.
    indexes: [{ key: { partition: 1 }, name: "partition", sparse: true }],
  }),
  excerptKeys: collection<ExcerptKey>("excerpt_keys", {
    shards: "one per day, for 31 days",
    indexes: [{ key: { expiresAt: 1 }, name: "expiry", expireAfterSeconds: 0 }],
  }),
  partitions: PARTITIONS,
  deadLetters: DEAD_LETTERS,
  auditEntries: AUDIT_ENTRIES,
};
