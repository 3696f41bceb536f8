/** Other services, as this one calls them; one that cannot be reached is Service.Unavailable. */
import type { CallingOptions, ServiceBroker } from "moleculer";
import type { HandedAttempt, LookAt } from "../../shared/contract/actions/delivery.ts";
import type {
  DeliveryEndpoint,
  HealthAnswer,
  HealthReport,
} from "../../shared/contract/actions/webhook-registry.ts";
import type { AnswerOf, CallableBy, RequestOf } from "../../shared/contract/actions.ts";
import { unavailable } from "../../shared/errors.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import type { Confirmed } from "./intake/confirm-events.ts";

export type Peers = {
  /** This process, as others call it. */
  me: string;
  endpointForDelivery(partnerId: string): Promise<DeliveryEndpoint | null>;
  reportHealth(report: HealthReport): Promise<HealthAnswer>;
  /** False for a process that the broker has lost, or has not met yet. */
  isReachable(node: string): boolean;
  /** Tells the source of events that they are recorded. */
  confirmEvents(events: readonly Confirmed[]): Promise<void>;
  /** Sends first attempts to another delivery process; answers the ids that it refuses. */
  takeAttempts(node: string, attempts: readonly HandedAttempt[]): Promise<readonly string[]>;
  /** Tells another delivery process that something of this kind waits for it; a hint, which may be lost. */
  lookNow(node: string, at: LookAt): void;
};

const DEADLINE_MS = 2_500;

export function peersOf(broker: ServiceBroker): Peers {
  const callTyped = callerFor("delivery", broker);
  const call = async <N extends CallableBy<"delivery">>(
    action: N,
    request: RequestOf<N>,
    options: CallingOptions = {},
  ): Promise<AnswerOf<N>> => {
    try {
      return await callTyped(action, request, { timeout: DEADLINE_MS, ...options });
    } catch (cause) {
      throw unavailable(action.split(".")[0] ?? action, cause);
    }
  };
  return {
    me: broker.nodeID,
    isReachable: (nodeID) =>
      Boolean(broker.registry.getActionEndpointByNodeId("delivery.takeAttempts", nodeID)),
    endpointForDelivery: (partnerId) => call("webhook-registry.endpointForDelivery", { partnerId }),
    reportHealth: (report) => call("webhook-registry.reportHealth", report),
    async confirmEvents(events) {
      const partnerIds = [...new Set(events.map(({ partnerId }) => partnerId))];
      await call("profile.confirmEvents", { eventIds: events.map(({ _id }) => _id), partnerIds });
    },
    async takeAttempts(nodeID, attempts) {
      // A frozen process does not take work that another was given since.
      const meta = { endsAt: performance.now() + DEADLINE_MS };
      const { refused } = await call("delivery.takeAttempts", { attempts }, { nodeID, meta });
      return refused;
    },
    lookNow: (nodeID, at) => void call("delivery.lookNow", { at }, { nodeID }).catch(() => undefined),
  };
}
