/** Creates declared streams and consumers, or updates existing ones to match. */
import type { ConsumerConfig, JetStreamManager, StreamConfig } from "nats";
import type { Logger } from "../telemetry/logger.ts";
import {
  consumerConfig,
  describeFixed,
  diffConsumer,
  diffStream,
  type ServerConfig,
  streamConfig,
} from "./jetstream-differ.ts";
import { type ConsumerSpec, type StreamSpec, streamName } from "./streams.ts";

/** create leaves existing ones alone: an older process must not undo a newer one's settings when it reconnects. */
export type EnsureMode = "align" | "create" | "plan";

type Deps = {
  manager: JetStreamManager;
  namespace: string;
  replicas: number;
  mode: EnsureMode;
  logger: Logger;
};

/** A difference that only a person can resolve; a retry does not help. */
export class StreamMismatch extends Error {
  override readonly name = "StreamMismatch";
}

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

/** Answers what it changed, or would. */
export async function ensureStream(
  { manager, namespace, replicas, mode, logger }: Deps,
  spec: StreamSpec,
): Promise<string | null> {
  const wanted = streamConfig(spec, namespace, replicas);
  const stream = streamName(namespace, spec.name);
  const found = await orMissing(manager.streams.info(stream), STREAM_NOT_FOUND);
  if (!found) {
    if (mode !== "plan") {
      await manager.streams.add(wanted as Partial<StreamConfig> & { name: string });
      logger.info({ stream }, "stream.created");
    }
    return `create stream ${stream}`;
  }
  if (mode === "create") return null;
  const actual = found.config as unknown as ServerConfig;
  const { changed, fixed } = diffStream(wanted, actual);
  if (fixed.length > 0) throw new StreamMismatch(describeFixed(`stream ${stream}`, wanted, actual, fixed));
  if (changed.length === 0) return null;
  if (mode === "align") {
    await manager.streams.update(stream, wanted as Partial<StreamConfig>);
    logger.info({ stream, changed }, "stream.updated");
  }
  return `change ${changed.join(", ")} of stream ${stream}`;
}

export async function ensureConsumer(
  { manager, namespace, mode, logger }: Deps,
  spec: ConsumerSpec,
): Promise<string | null> {
  const wanted = consumerConfig(spec, namespace);
  const stream = streamName(namespace, spec.stream);
  const found = await orMissing(
    manager.consumers.info(stream, spec.name),
    CONSUMER_NOT_FOUND,
    ...(mode === "plan" ? [STREAM_NOT_FOUND] : []),
  );
  if (!found) {
    if (mode !== "plan") {
      await manager.consumers.add(stream, wanted as Partial<ConsumerConfig>);
      logger.info({ stream, consumer: spec.name }, "consumer.created");
    }
    return `create consumer ${spec.name}`;
  }
  if (mode === "create") return null;
  const actual = found.config as unknown as ServerConfig;
  const { changed, fixed } = diffConsumer(wanted, actual);
  if (fixed.length > 0)
    throw new StreamMismatch(describeFixed(`consumer ${spec.name}`, wanted, actual, fixed));
  if (changed.length === 0) return null;
  if (mode === "align") {
    await manager.consumers.update(stream, spec.name, wanted as Partial<ConsumerConfig>);
    logger.info({ stream, consumer: spec.name, changed }, "consumer.updated");
  }
  return `change ${changed.join(", ")} of consumer ${spec.name}`;
}

async function orMissing<T>(request: Promise<T>, ...missing: number[]): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (missing.includes(apiErrorCode(error) ?? 0)) return null;
    throw error;
  }
}

export const isMissingStream = (error: unknown): boolean => apiErrorCode(error) === STREAM_NOT_FOUND;

function apiErrorCode(error: unknown): number | undefined {
  return (error as { api_error?: { err_code?: number } } | null)?.api_error?.err_code;
}
