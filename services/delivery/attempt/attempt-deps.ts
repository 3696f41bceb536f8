/** The parts that judge, send and record attempts. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import type { Endpoints } from "../endpoint/endpoints.ts";
import type { Excerpts } from "../excerpt/excerpts.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { EventRepository } from "../records/event.repository.ts";
import type { Sender } from "../send/send-attempt.ts";
import type { UpdateStore } from "./update-store.ts";

export type AttemptDeps = {
  runtime: Pick<ServiceRuntime, "config" | "clock" | "logger" | "metrics" | "tracer">;
  events: EventRepository;
  endpoints: Endpoints;
  excerpts: Excerpts;
  sender: Pick<Sender, "send">;
  store: UpdateStore["store"];
  /** The latest attempt recorded here, by delivery: a later claim may come from a read before that. */
  recorded: Map<string, number>;
  reportHealth(endpoint: DeliveryEndpoint, outcome: AttemptOutcome, isExhausted: boolean): void;
  /** The outcome of an attempt is stored. */
  onRecorded(delivery: OpenDelivery): void;
  stopping: AbortSignal;
};
