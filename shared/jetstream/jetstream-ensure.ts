/** Creates declared streams and consumers, or updates existing ones to match. */
import type { ConsumerConfig, JetStreamManager, StreamConfig } from "nats";
import type { Logger } from "../telemetry/logger.ts";
import { type ConsumerSpec, type StreamSpec, streamName, subjectName } from "./streams.ts";

/** create leaves existing ones alone: an older process must not undo a newer one's settings when it reconnects. */
export type EnsureMode = "align" | "create" | "plan";

type Deps = {
  manager: JetStreamManager;
  namespace: string;
  replicas: number;
  mode: EnsureMode;
  logger: Logger;
};

type ServerConfig = Readonly<Record<string, unknown>>;

type Declared = {
  kind: "stream" | "consumer";
  name: string;
  /** In the log. */
  ids: object;
  wanted: ServerConfig;
  info(): Promise<{ config: object }>;
  /** The server's codes for a missing one. */
  missing: readonly number[];
  add(): Promise<unknown>;
  update(): Promise<unknown>;
};

/** A difference that only a person can resolve; a retry does not help. */
export class StreamMismatch extends Error {
  override readonly name = "StreamMismatch";
}

const NANOS_PER_MS = 1_000_000;
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

/** The server rejects updates of these, or accepts them in one direction only. */
const FIXED = new Set([
  ...["retention", "storage", "deny_delete", "deny_purge"],
  ...["ack_policy", "deliver_policy", "replay_policy", "filter_subject"],
]);

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

/** Resolves to the change that it made, or would make in the mode plan. */
export function ensureStream(deps: Deps, spec: StreamSpec): Promise<string | null> {
  const { streams } = deps.manager;
  const wanted = streamConfig(spec, deps.namespace, deps.replicas);
  const stream = streamName(deps.namespace, spec.name);
  return ensure(deps, {
    kind: "stream",
    name: stream,
    ids: { stream },
    wanted,
    info: () => streams.info(stream),
    missing: [STREAM_NOT_FOUND],
    add: () => streams.add(wanted as Partial<StreamConfig> & { name: string }),
    update: () => streams.update(stream, wanted as Partial<StreamConfig>),
  });
}

export function ensureConsumer(deps: Deps, spec: ConsumerSpec): Promise<string | null> {
  const { consumers } = deps.manager;
  const wanted = consumerConfig(spec, deps.namespace);
  const stream = streamName(deps.namespace, spec.stream);
  return ensure(deps, {
    kind: "consumer",
    name: spec.name,
    ids: { stream, consumer: spec.name },
    wanted,
    info: () => consumers.info(stream, spec.name),
    missing: deps.mode === "plan" ? [CONSUMER_NOT_FOUND, STREAM_NOT_FOUND] : [CONSUMER_NOT_FOUND],
    add: () => consumers.add(stream, wanted as Partial<ConsumerConfig>),
    update: () => consumers.update(stream, spec.name, wanted as Partial<ConsumerConfig>),
  });
}

async function ensure({ mode, logger }: Deps, declared: Declared): Promise<string | null> {
  const { kind, name, ids, wanted, missing } = declared;
  const found = await declared.info().catch((error) => {
    if (missing.includes(apiErrorCode(error) ?? 0)) return null;
    throw error;
  });
  if (!found) {
    if (mode !== "plan") {
      await declared.add();
      logger.info(ids, `${kind}.created`);
    }
    return `create ${kind} ${name}`;
  }
  if (mode === "create") return null;
  const changed = changedFields(`${kind} ${name}`, wanted, found.config as ServerConfig);
  if (changed.length === 0) return null;
  if (mode === "align") {
    await declared.update();
    logger.info({ ...ids, changed }, `${kind}.updated`);
  }
  return `change ${changed.join(", ")} of ${kind} ${name}`;
}

/** Compares declared fields only: newer servers report more. Throws when an update cannot change one. */
export function changedFields(what: string, wanted: ServerConfig, actual: ServerConfig): string[] {
  const changed = Object.keys(wanted).filter((field) => !same(wanted[field], actual[field]));
  const fixed = changed.filter((field) => FIXED.has(field));
  if (fixed.length === 0) return changed;
  const list = fixed.map((f) => `${f} is ${show(actual[f])}, wanted ${show(wanted[f])}`).join("; ");
  throw new StreamMismatch(
    `${what} exists with settings that cannot be changed in place: ${list}. Remove it by hand when its messages may go.`,
  );
}

/** The server omits fields with a zero value. */
const same = (wanted: unknown, actual: unknown): boolean =>
  actual === undefined
    ? wanted === false || wanted === ""
    : JSON.stringify(wanted) === JSON.stringify(actual);

const show = (value: unknown): string => JSON.stringify(value) ?? "unset";

export const isMissingStream = (error: unknown): boolean => apiErrorCode(error) === STREAM_NOT_FOUND;

const apiErrorCode = (error: unknown): number | undefined =>
  (error as { api_error?: { err_code?: number } } | null)?.api_error?.err_code;
