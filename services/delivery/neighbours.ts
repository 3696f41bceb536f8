/** Other services, as this one calls them; one that cannot be reached is Service.Unavailable. */
import type { ServiceBroker } from "moleculer";
import type {
  DeliveryEndpoint,
  HealthAnswer,
  HealthReport,
} from "../../shared/action-types/webhook-registry.ts";
import type { AnswerOf, CallableBy, RequestOf } from "../../shared/actions.ts";
import { unavailable } from "../../shared/errors.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";

export type Neighbours = {
  endpointForDelivery(partnerId: string): Promise<DeliveryEndpoint | null>;
  reportHealth(report: HealthReport): Promise<HealthAnswer>;
  /** Tells the source of events that they are recorded. */
  confirmEvents(source: string, eventIds: readonly string[]): Promise<void>;
};

const DEADLINE_MS = 2_500;

export function neighboursOf(broker: ServiceBroker): Neighbours {
  const callTyped = callerFor("delivery", broker);
  const call = async <N extends CallableBy<"delivery">>(
    action: N,
    request: RequestOf<N>,
  ): Promise<AnswerOf<N>> => {
    try {
      return await callTyped(action, request, { timeout: DEADLINE_MS });
    } catch (cause) {
      throw unavailable(action.split(".")[0] ?? action, cause);
    }
  };
  return {
    endpointForDelivery: (partnerId) => call("webhook-registry.endpointForDelivery", { partnerId }),
    reportHealth: (report) => call("webhook-registry.reportHealth", report),
    async confirmEvents(source, eventIds) {
      if (source !== "profile") throw new Error(`${source} has no events to confirm`);
      await call("profile.confirmEvents", { eventIds });
    },
  };
}
