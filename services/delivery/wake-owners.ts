/** Wakes the process that owns a partner's partition: this one, or another by a call. Simultaneous hints are one call. */
import type { Clock } from "../../shared/clock.ts";
import type { EndpointPartitions } from "./endpoint/endpoint-partitions.ts";

type Deps = {
  me: string;
  partitions: Pick<EndpointPartitions, "owner">;
  wakeHere(withinMs: number): void;
  notify(node: string): void;
  clock: Clock;
};

/** A delivery of the partner waits from this time on, or is due now. */
export type WakeOwner = (partnerId: string, at?: Date) => void;

export function createWakeOwners({ me, partitions, wakeHere, notify, clock }: Deps): WakeOwner {
  const waiting = new Set<string>();
  function notifyAll() {
    for (const node of waiting) notify(node);
    waiting.clear();
  }
  return (partnerId, at) => {
    const owner = partitions.owner(partnerId);
    if (owner === null || owner === me) return wakeHere(at ? at.getTime() - clock.now() : 0);
    if (waiting.size === 0) setImmediate(notifyAll);
    waiting.add(owner);
  };
}
