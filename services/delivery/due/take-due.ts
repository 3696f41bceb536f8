/** Takes due deliveries. Each queue gives what its endpoint can take now, so a long queue never blocks a short one. */
import { randomId } from "../../../shared/ids.ts";
import type { Place } from "../../../shared/mongo/mongo.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import { parseQueue } from "../records/queue-name.rules.ts";
import type { DueDeps } from "./due-deps.ts";

const MAX_PER_QUEUE = 256;
const MAX_PER_ROUND = 1_000;
const PARALLEL_READS = 8;

/** Answers how many it took. */
export async function takeDue(deps: DueDeps, heads: readonly QueueHead[]): Promise<number> {
  const { clock, config } = deps.runtime;
  const now = clock.now();
  const due = inRandomOrder(heads.filter(({ claimableAt }) => claimableAt.getTime() <= now));
  const found: Place[] = [];
  const readNext = async () => {
    for (let head = due.pop(); head && found.length < MAX_PER_ROUND; head = due.pop())
      found.push(...(await takeFrom(deps, head.queue, now)));
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, readNext));
  if (found.length === 0) return 0;
  const claimed = await deps.deliveries.claim(found, randomId(), now, now + config.deliveryLeaseMs);
  for (const [endpointId, { length }] of Map.groupBy(claimed, (delivery) => delivery.endpointId))
    deps.endpoints.queues.announce(endpointId, length);
  // Not awaited: a slow lookup of one endpoint must not block the others.
  void deps.run(claimed.map((delivery) => ({ delivery })));
  return claimed.length;
}

async function takeFrom(
  { deliveries, endpoints: { pauses, queues } }: DueDeps,
  queue: string,
  nowMs: number,
): Promise<Place[]> {
  const { endpointId, priority } = parseQueue(queue);
  const pausedUntil = pauses.until(endpointId);
  if (pausedUntil !== null) {
    // The scheduling process did not see the pause.
    await deliveries.putOffDue(queue, nowMs, pausedUntil);
    return [];
  }
  const room = Math.min(MAX_PER_QUEUE, queues.room(endpointId, priority));
  return room > 0 ? deliveries.due(queue, nowMs, room) : [];
}

/** No queue is always last when a round cannot take all. */
function inRandomOrder<T>(items: readonly T[]): T[] {
  const order = items.map((item) => ({ item, rank: Math.random() }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
