import { expect, test } from "@jest/globals";
import { endpointPartitions } from "../../../services/delivery/endpoint/endpoint-partitions.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";

const COUNT = 8;

test("a partner stays in its partition; who looks after it is asked for every time", () => {
  const epochs = new Map<number, number>();
  const partitions = endpointPartitions(
    {
      epoch: (partition) => epochs.get(partition) ?? null,
      holder: (partition) => (epochs.has(partition) ? "me" : "other"),
      held: () => [...epochs.keys()],
      mustPoll: () => false,
    },
    COUNT,
  );
  const partners = Array.from({ length: 40 }, (_, index) => `partner ${index}`);
  for (const partnerId of partners) {
    const partition = partitionOf(partnerId, COUNT);
    const place = { endpointId: "endpoint", partition };
    expect(partitions.locate({ endpointId: "endpoint", partnerId })).toEqual(place);
    epochs.clear();
    expect([partitions.epoch(partnerId), partitions.owner(partnerId)]).toEqual([null, "other"]);
    epochs.set(partition, 3);
    expect([partitions.epoch(partnerId), partitions.owner(partnerId)]).toEqual([3, "me"]);
    expect(partitions.locate({ endpointId: "endpoint", partnerId })).toEqual(place);
  }
});
