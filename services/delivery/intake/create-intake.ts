/** Puts together the way of an event: consumer, record, plan, confirmation to its source. */
import type { Consumption } from "../../../shared/jetstream/jetstream.ts";
import { type ConsumeEventsDeps, consumeEvents } from "./events.consumer.ts";
import { type PlanDeps, planDeliveries } from "./plan-deliveries.ts";

type Deps = PlanDeps & Omit<ConsumeEventsDeps, "plan">;

export type Intake = {
  start(): void;
  stop(): Promise<void>;
};

export function createIntake(deps: Deps): Intake {
  let consumption: Consumption | undefined;
  return {
    start() {
      consumption = consumeEvents({ ...deps, plan: (events) => planDeliveries(deps, events) });
    },
    async stop() {
      await consumption?.stop();
    },
  };
}
