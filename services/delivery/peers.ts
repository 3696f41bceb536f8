/** Other services, as this one calls them; one that cannot be reached is Service.Unavailable. */
import type { CallingOptions, ServiceBroker } from "moleculer";
import type { HandedAttempt, LookAt } from "../../shared/contract/actions/delivery.ts";
import type { HealthReport } from "../../shared/contract/actions/webhook-registry.ts";
import type { AnswerOf, CallableBy, RequestOf } from "../../shared/contract/actions.ts";
import { unavailable } from "../../shared/errors.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import type { Confirmed } from "./intake/confirm-events.ts";

export type Peers = ReturnType<typeof peersOf>;

const DEADLINE_MS = 2_500;

export function peersOf(broker: ServiceBroker) {
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
  /** False for a process that the broker has lost, or has not met yet. */
  const isReachable = (nodeID: string): boolean =>
    Boolean(broker.registry.getActionEndpointByNodeId("delivery.takeAttempts", nodeID));
  return {
    /** This process, as others call it. */
    me: broker.nodeID,
    isReachable,
    endpointForDelivery: (partnerId: string) => call("webhook-registry.endpointForDelivery", { partnerId }),
    reportHealth: (report: HealthReport) => call("webhook-registry.reportHealth", report),
    /** Confirms to the source of events that they are recorded. */
    async confirmEvents(events: readonly Confirmed[]): Promise<void> {
      const partnerIds = [...new Set(events.map(({ partnerId }) => partnerId))];
      await call("profile.confirmEvents", { eventIds: events.map(({ _id }) => _id), partnerIds });
    },
    /** Sends first attempts to another delivery process; answers the ids that it refuses. */
    async takeAttempts(nodeID: string, attempts: readonly HandedAttempt[]): Promise<string[]> {
      // A frozen process does not take work that another process owns by now.
      const meta = { endsAt: performance.now() + DEADLINE_MS };
      const { refused } = await call("delivery.takeAttempts", { attempts }, { nodeID, meta });
      return refused;
    },
    /** A hint to another delivery process that work of this kind is due; it may be lost. */
    lookNow(nodeID: string, at: LookAt): void {
      if (isReachable(nodeID)) void call("delivery.lookNow", { at }, { nodeID }).catch(() => undefined);
    },
  };
}
