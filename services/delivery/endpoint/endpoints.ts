/** Everything that this process has of endpoints, as the other folders use it. */
import type { EndpointDirectory } from "./endpoint-directory.ts";
import type { EndpointPartitions } from "./endpoint-partitions.ts";
import type { EndpointPauses } from "./endpoint-pauses.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import type { EndpointStateRepository } from "./endpoint-state.repository.ts";

export type Endpoints = {
  directory: EndpointDirectory;
  partitions: EndpointPartitions;
  pauses: EndpointPauses;
  queues: EndpointQueues;
  states: EndpointStateRepository;
};
