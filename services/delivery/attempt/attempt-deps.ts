/** The parts that judge, send and record attempts. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import type { Tracer } from "../../../shared/telemetry/tracer.ts";
import type { EndpointDirectory } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { Excerpts } from "../excerpt/excerpts.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { DeliveryUpdate } from "../records/delivery-update.rules.ts";
import type { EventRepository } from "../records/event.repository.ts";
import type { Sender } from "../send/send-attempt.ts";

export type AttemptDeps = {
  events: Pick<EventRepository, "contents">;
  directory: Pick<EndpointDirectory, "find" | "secretsOf">;
  partitions: Pick<EndpointPartitions, "epoch" | "locate">;
  pauses: Pick<EndpointPauses, "pause" | "until">;
  queues: Pick<EndpointQueues, "offer" | "holds">;
  sender: Pick<Sender, "send">;
  excerpts: Pick<Excerpts, "seal">;
  /** False when the update could not be stored: the due loop claims the attempt when its lease ends. */
  store(update: DeliveryUpdate, delivery: OpenDelivery): Promise<boolean>;
  /** The latest attempt recorded here, by delivery: a later claim may come from a read before that. */
  recorded: Map<string, number>;
  reportHealth(endpoint: DeliveryEndpoint, outcome: AttemptOutcome, isExhausted: boolean): void;
  /** The outcome of an attempt is stored. */
  onRecorded(delivery: OpenDelivery): void;
  stopping: AbortSignal;
  config: Pick<Config, "retrySchedule" | "deliveryLeaseMs">;
  clock: Clock;
  random(): number;
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
};
