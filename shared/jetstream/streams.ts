/** Every stream, consumer and subject as data; the namespace is added only on the server. */

export type StreamName = "EVENTS" | "STORAGE";

export type StreamSpec = {
  name: StreamName;
  description: string;
  subjects: readonly string[];
  /** limits keeps a message after its ack; workqueue removes it. */
  retention: "limits" | "workqueue";
  maxAgeMs: number;
  maxBytes: number;
  /** forget drops the oldest message; refuse rejects the new one. */
  whenFull: "forget" | "refuse";
  /** How long the server remembers message ids. */
  duplicateWindowMs: number;
  /** True: no client may delete messages or purge the stream. */
  protectedFromDeletes: boolean;
};

export type ConsumerSpec = {
  name: string;
  stream: StreamName;
  description: string;
  filterSubject: string;
  /** A message is redelivered after this long unless its process extends it. */
  ackWaitMs: number;
  maxAckPending: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1024 * 1024;

/** Covers repeated publishing by sweeps, and more than one reconciler round. */
const DUPLICATE_WINDOW_MS = 10 * MINUTE_MS;
const ACK_WAIT_MS = 30_000;
/** Shorter: the events that a process took before it was killed wait this long for another. A living process extends it. */
const EVENT_ACK_WAIT_MS = 6_000;

export const STREAMS = {
  EVENTS: {
    name: "EVENTS",
    description: "Facts of committed changes, from the outboxes to the delivery service",
    subjects: ["events.>"],
    retention: "limits",
    maxAgeMs: 30 * DAY_MS,
    maxBytes: 8_192 * MIB,
    // The oldest were mostly recorded long ago; one that was not is still in its outbox and is published again.
    whenFull: "forget",
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    protectedFromDeletes: true,
  },
  STORAGE: {
    name: "STORAGE",
    description: "S3 notices of files that arrived",
    subjects: ["storage.>"],
    retention: "workqueue",
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 128 * MIB,
    whenFull: "refuse",
    duplicateWindowMs: 2 * MINUTE_MS,
    protectedFromDeletes: false,
  },
} as const satisfies Record<StreamName, StreamSpec>;

export const CONSUMERS = {
  deliveryRecord: {
    name: "delivery-record",
    stream: "EVENTS",
    description: "Records events and plans their deliveries",
    filterSubject: "events.>",
    ackWaitMs: EVENT_ACK_WAIT_MS,
    maxAckPending: 2_000,
  },
  documentArrival: {
    name: "document-arrival",
    stream: "STORAGE",
    description: "Confirms documents that arrived",
    filterSubject: "storage.>",
    ackWaitMs: ACK_WAIT_MS,
    maxAckPending: 500,
  },
} as const satisfies Record<string, ConsumerSpec>;

export const streamName = (namespace: string, stream: StreamName): string =>
  namespace ? `${namespace.toUpperCase()}_${stream}` : stream;

export const subjectName = (namespace: string, subject: string): string =>
  namespace ? `${namespace}.${subject}` : subject;

export const eventSubject = (namespace: string, partnerId: string, eventType: string): string =>
  subjectName(namespace, `events.${token(partnerId)}.${eventType.split(".").map(token).join(".")}`);

/** The subject MinIO (or the bridge of another storage) is configured to publish to. */
export const storageSubject = (namespace: string): string => subjectName(namespace, "storage.arrivals");

/** Refuses wildcards, dots and spaces, which would change the recipients of the message. */
function token(value: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(value)) throw new Error(`not usable in a subject: ${JSON.stringify(value)}`);
  return value;
}
