/** Pure: the server configuration of a declared stream or consumer, and how an existing one differs from it. */
import { type ConsumerSpec, type StreamSpec, streamName, subjectName } from "./streams.ts";

export type ServerConfig = Readonly<Record<string, unknown>>;

/** changed: can be updated in place. fixed: cannot, because the server refuses it or data would be lost. */
export type Difference = { changed: readonly string[]; fixed: readonly string[] };

const NANOS_PER_MS = 1_000_000;

/** The server rejects updates of these, or accepts them in one direction only. */
const FIXED_FOR_STREAM = new Set(["retention", "storage", "deny_delete", "deny_purge"]);
const FIXED_FOR_CONSUMER = new Set(["ack_policy", "deliver_policy", "replay_policy", "filter_subject"]);

export function streamConfig(spec: StreamSpec, namespace: string, replicas: number): ServerConfig {
  return {
    name: streamName(namespace, spec.name),
    description: spec.description,
    subjects: spec.subjects.map((subject) => subjectName(namespace, subject)),
    retention: spec.retention,
    storage: "file",
    discard: spec.whenFull === "forget" ? "old" : "new",
    max_age: spec.maxAgeMs * NANOS_PER_MS,
    max_bytes: spec.maxBytes,
    duplicate_window: spec.duplicateWindowMs * NANOS_PER_MS,
    num_replicas: replicas,
    deny_delete: spec.protectedFromDeletes,
    deny_purge: spec.protectedFromDeletes,
  };
}

export function consumerConfig(spec: ConsumerSpec, namespace: string): ServerConfig {
  return {
    durable_name: spec.name,
    description: spec.description,
    filter_subject: subjectName(namespace, spec.filterSubject),
    ack_policy: "explicit",
    deliver_policy: "all",
    replay_policy: "instant",
    ack_wait: spec.ackWaitMs * NANOS_PER_MS,
    max_ack_pending: spec.maxAckPending,
    // Unlimited: the dispatcher counts deliveries, since the server would drop the message silently.
    max_deliver: -1,
  };
}

export const diffStream = (wanted: ServerConfig, actual: ServerConfig): Difference =>
  diff(wanted, actual, FIXED_FOR_STREAM);

export const diffConsumer = (wanted: ServerConfig, actual: ServerConfig): Difference =>
  diff(wanted, actual, FIXED_FOR_CONSUMER);

/** Compares declared fields only: newer servers report more. */
function diff(wanted: ServerConfig, actual: ServerConfig, fixedFields: ReadonlySet<string>): Difference {
  const different = Object.keys(wanted).filter((field) => !same(wanted[field], actual[field]));
  return {
    changed: different.filter((field) => !fixedFields.has(field)),
    fixed: different.filter((field) => fixedFields.has(field)),
  };
}

/** The server omits fields with a zero value. */
const same = (wanted: unknown, actual: unknown): boolean =>
  actual === undefined
    ? wanted === false || wanted === ""
    : JSON.stringify(wanted) === JSON.stringify(actual);

export function describeFixed(
  what: string,
  wanted: ServerConfig,
  actual: ServerConfig,
  fixed: readonly string[],
) {
  const list = fixed.map((f) => `${f} is ${show(actual[f])}, wanted ${show(wanted[f])}`).join("; ");
  return `${what} exists with settings that cannot be changed in place: ${list}. Remove it by hand when its messages may go.`;
}

const show = (value: unknown): string => JSON.stringify(value) ?? "unset";
