/** Which process looks after an endpoint: the owner of its partner's partition. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import type { Partitions } from "../../../shared/partitions/partitions.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";

export type EndpointPartitions = {
  locate(endpoint: { endpointId: string; partnerId: string }): PartitionedEndpoint;
  /** The epoch in which this process looks after the partner's endpoint; null when it does not. */
  epoch(partnerId: string): number | null;
  /** Owner of the endpoint, as far as this process has it. */
  owner(partnerId: string): string | null;
  /** The partitions this process holds. */
  held(): number[];
  /** Whether what is done once for the whole installation is done by this process, and who does it. */
  isFirst(): boolean;
  first(): string | null;
  /** Whether other processes may not know what this one holds, and so tell it nothing. */
  mustPoll(): boolean;
};

/** A hash costs as much as a hundred looks into a map, and an attempt asks several times. */
const MAX_REMEMBERED = 10_000;

export function endpointPartitions(
  partitions: Pick<Partitions, "epoch" | "holder" | "held" | "mustPoll">,
  count: number,
): EndpointPartitions {
  const known = new BoundedMap<string, number>(MAX_REMEMBERED);
  function of(partnerId: string): number {
    const partition = known.get(partnerId) ?? partitionOf(partnerId, count);
    if (!known.has(partnerId)) known.set(partnerId, partition);
    return partition;
  }
  return {
    locate: ({ endpointId, partnerId }) => ({ endpointId, partition: of(partnerId) }),
    epoch: (partnerId) => partitions.epoch(of(partnerId)),
    owner: (partnerId) => partitions.holder(of(partnerId)),
    held: partitions.held,
    isFirst: () => partitions.epoch(0) !== null,
    first: () => partitions.holder(0),
    mustPoll: partitions.mustPoll,
  };
}
