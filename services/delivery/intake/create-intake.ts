/** Puts together the way of an event: consumer, record, plan, confirmation to its source. */
import type { Consumption } from "../../../shared/jetstream/jetstream.ts";
import type { NewEvent } from "../records/event.rules.ts";
import { type ConsumeEventsDeps, consumeEvents } from "./events.consumer.ts";
import { type PlanDeps, planDeliveries } from "./plan-deliveries.ts";

type Deps = PlanDeps & Omit<ConsumeEventsDeps, "plan">;

export type Intake = {
  /** Records events and plans their deliveries. */
  plan(events: readonly NewEvent[]): Promise<{ recorded: number }>;
  start(): void;
  stop(): Promise<void>;
};

export function createIntake(deps: Deps): Intake {
  const plan: Intake["plan"] = (events) => planDeliveries(deps, events);
  let consumption: Consumption | undefined;
  return {
    plan,
    start() {
      consumption = consumeEvents({ ...deps, plan });
    },
    async stop() {
      await consumption?.stop();
    },
  };
}
