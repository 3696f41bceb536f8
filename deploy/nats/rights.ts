/** Subjects that each process uses besides actions; a test compares them with the declarations of the services. */
import type { ProcessName } from "../../shared/config/config.ts";
import { CONSUMERS, type ConsumerSpec, type StreamName } from "../../shared/jetstream/streams.ts";

export type StreamRights = {
  /** Creates them when they are not there. */
  streams: readonly StreamName[];
  /** Creates them and consumes their messages. */
  consumers: readonly ConsumerSpec[];
  /** Reads their position. */
  watches: readonly ConsumerSpec[];
  /** Subjects it publishes to. */
  publishes: readonly string[];
};

const NONE: StreamRights = { streams: [], consumers: [], watches: [], publishes: [] };

export const STREAM_RIGHTS: Record<ProcessName, StreamRights> = {
  gateway: NONE,
  admin: NONE,
  /** Its user has rights of its own: permissions.ts. */
  migration: NONE,
  "auth-token": NONE,
  "webhook-registry": NONE,
  /** Every event is published by the profile service's outbox. */
  profile: {
    streams: ["EVENTS"],
    consumers: [],
    watches: [CONSUMERS.deliveryRecord],
    publishes: ["events.>"],
  },
  document: {
    streams: ["STORAGE"],
    consumers: [CONSUMERS.documentArrival],
    watches: [],
    publishes: [],
  },
  delivery: {
    streams: ["EVENTS"],
    consumers: [CONSUMERS.deliveryRecord],
    watches: [],
    publishes: [],
  },
};

/** Moleculer events, sent to every process that listens. */
export const BROADCASTS: readonly { event: string; from: ProcessName; to: readonly ProcessName[] }[] = [
  { event: "webhook-endpoint.changed", from: "webhook-registry", to: ["delivery"] },
  { event: "country-config.changed", from: "profile", to: ["profile"] },
];
