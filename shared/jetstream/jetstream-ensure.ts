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

export type EnsureMode = "align" | "create";

type Deps = {
  manager: JetStreamManager;
  namespace: string;
  replicas: number;
  /** "create" leaves existing ones alone: an older process must not undo a newer one's settings when it reconnects. */
  mode: EnsureMode;
  logger: Logger;
};

/** A difference that only a person can resolve; a retry does not help. */
export class StreamMismatch extends Error {
  override readonly name = "StreamMismatch";
}

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

export async function ensureStream(
  { manager, namespace, replicas, mode, logger }: Deps,
  spec: StreamSpec,
): Promise<void> {
  const wanted = streamConfig(spec, namespace, replicas);
  const stream = streamName(namespace, spec.name);
  const found = await orMissing(manager.streams.info(stream), STREAM_NOT_FOUND);
  if (!found) {
    await manager.streams.add(wanted as Partial<StreamConfig> & { name: string });
    logger.info({ stream }, "stream.created");
    return;
  }
  if (mode === "create") return;
  const actual = found.config as unknown as ServerConfig;
  const { changed, fixed } = diffStream(wanted, actual);
  if (fixed.length > 0) throw new StreamMismatch(describeFixed(`stream ${stream}`, wanted, actual, fixed));
  if (changed.length === 0) return;
  await manager.streams.update(stream, wanted as Partial<StreamConfig>);
  logger.info({ stream, changed }, "stream.updated");
}

export async function ensureConsumer(
  { manager, namespace, mode, logger }: Deps,
  spec: ConsumerSpec,
): Promise<void> {
  const wanted = consumerConfig(spec, namespace);
  const stream = streamName(namespace, spec.stream);
  const found = await orMissing(manager.consumers.info(stream, spec.name), CONSUMER_NOT_FOUND);
  if (!found) {
    await manager.consumers.add(stream, wanted as Partial<ConsumerConfig>);
    logger.info({ stream, consumer: spec.name }, "consumer.created");
    return;
  }
  if (mode === "create") return;
  const actual = found.config as unknown as ServerConfig;
  const { changed, fixed } = diffConsumer(wanted, actual);
  if (fixed.length > 0)
    throw new StreamMismatch(describeFixed(`consumer ${spec.name}`, wanted, actual, fixed));
  if (changed.length === 0) return;
  await manager.consumers.update(stream, spec.name, wanted as Partial<ConsumerConfig>);
  logger.info({ stream, consumer: spec.name, changed }, "consumer.updated");
}

async function orMissing<T>(request: Promise<T>, missing: number): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (apiErrorCode(error) === missing) return null;
    throw error;
  }
}

function apiErrorCode(error: unknown): number | undefined {
  return (error as { api_error?: { err_code?: number } } | null)?.api_error?.err_code;
}
