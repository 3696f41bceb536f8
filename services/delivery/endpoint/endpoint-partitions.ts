/** The owner of an endpoint is the process that owns the partition of its partner. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import type { Partitions } from "../../../shared/partitions/partitions.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";

export type EndpointPartitions = ReturnType<typeof endpointPartitions>;

/** A hash costs as much as a hundred map lookups, and an attempt needs several. */
const MAX_REMEMBERED = 10_000;

export function endpointPartitions(
  partitions: Pick<Partitions, "epoch" | "holder" | "held" | "mustPoll">,
  count: number,
) {
  const known = new BoundedMap<string, number>(MAX_REMEMBERED);
  function of(partnerId: string): number {
    const partition = known.get(partnerId) ?? partitionOf(partnerId, count);
    if (!known.has(partnerId)) known.set(partnerId, partition);
    return partition;
  }
  return {
    locate: ({ endpointId, partnerId }: { endpointId: string; partnerId: string }): PartitionedEndpoint => ({
      endpointId,
      partition: of(partnerId),
    }),
    /** The epoch in which this process owns the partner's endpoint; null when it does not. */
    epoch: (partnerId: string) => partitions.epoch(of(partnerId)),
    /** Owner of the endpoint, as far as this process has it. */
    owner: (partnerId: string) => partitions.holder(of(partnerId)),
    /** The partitions that this process owns. */
    held: partitions.held,
    /** The owner of the first partition does the work that an installation does once. */
    isFirst: () => partitions.epoch(0) !== null,
    first: () => partitions.holder(0),
    /** True while hints of other processes may not reach this one. */
    mustPoll: partitions.mustPoll,
  };
}
