/** Wakes the process that owns a partner's partition: this one, or another by a call. Simultaneous hints are one call. */
import type { Clock } from "../../shared/clock.ts";
import type { EndpointPartitions } from "./endpoint/endpoint-partitions.ts";
import type { Peers } from "./peers.ts";

type Deps = {
  peers: Pick<Peers, "me" | "lookNow">;
  partitions: Pick<EndpointPartitions, "owner">;
  clock: Clock;
};

export function createWakeOwners(
  { peers: { me, lookNow }, partitions, clock }: Deps,
  wakeHere: (withinMs: number) => void,
) {
  const waiting = new Set<string>();
  function notifyAll() {
    for (const node of waiting) lookNow(node, "deliveries");
    waiting.clear();
  }
  /** A delivery of the partner waits from this time on, or is due now. */
  return (partnerId: string, at?: Date) => {
    const owner = partitions.owner(partnerId);
    if (owner === null || owner === me) return wakeHere(at ? at.getTime() - clock.now() : 0);
    if (waiting.size === 0) setImmediate(notifyAll);
    waiting.add(owner);
  };
}
