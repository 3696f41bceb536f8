/** Wakes whoever looks after a partner's endpoint: this process, or another by a call. What comes together is told once. */
import type { Clock } from "../../shared/clock.ts";
import type { EndpointPartitions } from "./endpoint/endpoint-partitions.ts";

type Deps = {
  me: string;
  partitions: Pick<EndpointPartitions, "holder">;
  wakeHere(withinMs: number): void;
  tell(node: string): void;
  clock: Clock;
};

/** A delivery of the partner waits from this time on, or is due now. */
export type WakeHolder = (partnerId: string, at?: Date) => void;

export function createWakeHolders({ me, partitions, wakeHere, tell, clock }: Deps): WakeHolder {
  const untold = new Set<string>();
  function tellAll() {
    for (const node of untold) tell(node);
    untold.clear();
  }
  return (partnerId, at) => {
    const holder = partitions.holder(partnerId);
    if (holder === null || holder === me) return wakeHere(at ? at.getTime() - clock.now() : 0);
    if (untold.size === 0) setImmediate(tellAll);
    untold.add(holder);
  };
}
