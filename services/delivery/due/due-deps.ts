/** The parts that the work on waiting deliveries uses. */
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import type { Endpoints } from "../endpoint/endpoints.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";

export type DueDeps = {
  runtime: Pick<ServiceRuntime, "config" | "clock" | "jetstream" | "lanes" | "logger" | "metrics">;
  deliveries: DeliveryRepository;
  endpoints: Endpoints;
  /** Resolves when the attempts wait for their turn, not when they are made. Never rejects. */
  run(due: readonly { delivery: OpenDelivery }[]): Promise<void>;
};
