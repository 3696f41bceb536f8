/** A short queue of attempts per endpoint. Replays come after all other attempts of their endpoint. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { DeliveryPriority } from "../records/queue-name.rules.ts";
import { averageDuration, expectDuration, type Pace, paceFor } from "./pace.rules.ts";

/**
 * An attempt as a value. While the process stores as many outcomes as it has slots, no request starts: a kill repeats at
 * most two attempts per slot.
 */
export type AttemptTask = {
  deliveryId: string;
  endpointId: string;
  priority: DeliveryPriority;
  /** Sends the request. When it resolves the slot is free, and the queue stores the outcome by the answered function. */
  send(): Promise<() => Promise<unknown>>;
  /** Called in place of send when the process stops before its turn. */
  drop(): void;
};

export type EndpointQueues = ReturnType<typeof createEndpointQueues>;

type Options = {
  maxInFlight: number;
  maxPerEndpoint: number;
  nowMs(): number;
  /** Neither sending nor storing should reject. The due loop finds the attempt in the database when its lease ends. */
  onError(error: unknown): void;
};

/** Replays leave half of an endpoint to its new events. */
const REPLAY_SHARE = 0.5;

/** Limit of queued attempts per request slot; the others wait in the database. Every endpoint may queue one. */
const HELD_PER_SLOT = 20;

/** Announced attempts that have not arrived by then went to another process. */
const ANNOUNCED_MS = 2_000;
/** The average duration is kept for this many endpoints. */
const MAX_AVERAGES = 10_000;

type Endpoint = {
  waiting: Record<DeliveryPriority, AttemptTask[]>;
  /** With the time each was started. */
  inFlight: Map<AttemptTask, number>;
};

export function createEndpointQueues({ maxInFlight, maxPerEndpoint, nowMs, onError }: Options) {
  const endpoints = new Map<string, Endpoint>();
  const averages = new BoundedMap<string, number>(MAX_AVERAGES);
  const announced = new Map<string, { count: number; until: number }>();
  /** Endpoint by delivery. */
  const held = new Map<string, string>();
  const unfinished = new Set<Promise<unknown>>();
  let inFlight = 0;
  let storing = 0;
  let isStopped = false;

  function pace(endpointId: string): Pace {
    // Maps keep their order, so the first is the oldest.
    const [oldest] = endpoints.get(endpointId)?.inFlight.values() ?? [];
    const age = oldest === undefined ? 0 : nowMs() - oldest;
    const load = { inFlight, maxInFlight, activeEndpoints: endpoints.size };
    return paceFor(expectDuration(averages.get(endpointId) ?? null, age), maxPerEndpoint, load);
  }

  function expected(endpointId: string): number {
    const entry = announced.get(endpointId);
    if (!entry) return 0;
    if (entry.until > nowMs() && entry.count > 0) return entry.count;
    announced.delete(endpointId);
    return 0;
  }

  function freeSlots(endpointId: string, priority: DeliveryPriority): number {
    if (isStopped) return 0;
    const endpoint = endpoints.get(endpointId);
    if (held.size >= maxInFlight * HELD_PER_SLOT && takenOf(endpoint) > 0) return 0;
    const { concurrency, queue } = pace(endpointId);
    if (priority === "replay") {
      const share = Math.max(1, Math.floor((concurrency + queue) * REPLAY_SHARE));
      return concurrency === 0 ? 0 : share - takenOf(endpoint);
    }
    return concurrency + queue - takenOf(endpoint) + (endpoint?.waiting.replay.length ?? 0);
  }

  function start(endpointId: string, endpoint: Endpoint): void {
    const { concurrency } = pace(endpointId);
    while (!isStopped && endpoint.inFlight.size < Math.max(1, concurrency) && hasSlot(endpoint)) {
      const task = endpoint.waiting.attempt.shift() ?? nextReplay(endpoint, concurrency);
      if (!task) return;
      run(endpointId, endpoint, task);
    }
  }

  /** Every endpoint may have one request open: its first may go beyond the limit of the process. */
  function hasSlot(endpoint: Endpoint): boolean {
    const limit = endpoint.inFlight.size === 0 ? 2 * maxInFlight : maxInFlight;
    return inFlight < limit && storing < limit;
  }

  function run(endpointId: string, endpoint: Endpoint, task: AttemptTask): void {
    const startedAt = nowMs();
    inFlight += 1;
    endpoint.inFlight.set(task, startedAt);
    const answered = () => {
      inFlight -= 1;
      storing += 1;
      endpoint.inFlight.delete(task);
      averages.set(endpointId, averageDuration(averages.get(endpointId) ?? null, nowMs() - startedAt));
      start(endpointId, endpoint);
      if (takenOf(endpoint) === 0) endpoints.delete(endpointId);
      startOthers();
    };
    const stored = () => {
      storing -= 1;
      held.delete(task.deliveryId);
      startOthers();
    };
    const work = task
      .send()
      .finally(answered)
      .then((store) => store())
      .catch(onError)
      .finally(() => {
        unfinished.delete(work);
        stored();
      });
    unfinished.add(work);
  }

  /** A slot of the process became free: starts the tasks that wait for nothing else, in turn. */
  function startOthers(): void {
    if (Math.max(inFlight, storing) < maxInFlight - 1) return;
    for (const [id, endpoint] of endpoints) {
      if (Math.max(inFlight, storing) >= maxInFlight) return;
      start(id, endpoint);
    }
  }

  /** Removes the attempts of an endpoint that wait. */
  function removeWaiting({ waiting }: Endpoint): AttemptTask[] {
    const removed = [...waiting.attempt.splice(0), ...waiting.replay.splice(0)];
    for (const { deliveryId } of removed) held.delete(deliveryId);
    return removed;
  }

  return {
    /** False when the queue of the endpoint is full; the task is then not taken. */
    offer(task: AttemptTask): boolean {
      const entry = announced.get(task.endpointId);
      if (entry) entry.count -= 1;
      if (held.has(task.deliveryId) || freeSlots(task.endpointId, task.priority) <= 0) return false;
      const endpoint = endpoints.get(task.endpointId) ?? newEndpoint();
      endpoints.set(task.endpointId, endpoint);
      held.set(task.deliveryId, task.endpointId);
      endpoint.waiting[task.priority].push(task);
      start(task.endpointId, endpoint);
      return true;
    },
    /** Free slots and queue room, less the announced attempts. */
    room: (endpointId: string, priority: DeliveryPriority): number =>
      freeSlots(endpointId, priority) - expected(endpointId),
    /** Announces attempts that will be offered, here or in another process. */
    announce(endpointId: string, count: number): void {
      announced.set(endpointId, { count: expected(endpointId) + count, until: nowMs() + ANNOUNCED_MS });
    },
    /** True from the offer until the outcome is recorded. */
    holds: (deliveryId: string): boolean => held.has(deliveryId),
    heldIds: (endpointId: string): string[] =>
      [...held].filter(([, of]) => of === endpointId).map(([deliveryId]) => deliveryId),
    held: (): number => held.size,
    /** Forgets the waiting attempts of an endpoint: they are neither sent nor stored. */
    forget(endpointId: string): void {
      const endpoint = endpoints.get(endpointId);
      if (endpoint) removeWaiting(endpoint);
    },
    /** Drops the attempts that have not started and waits for the others. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const endpoint of endpoints.values()) for (const task of removeWaiting(endpoint)) task.drop();
      await Promise.allSettled(unfinished);
    },
  };
}

const newEndpoint = (): Endpoint => ({
  waiting: { attempt: [], replay: [] },
  inFlight: new Map(),
});

const takenOf = (endpoint: Endpoint | undefined): number =>
  endpoint ? endpoint.inFlight.size + endpoint.waiting.attempt.length + endpoint.waiting.replay.length : 0;

function nextReplay(endpoint: Endpoint, concurrency: number): AttemptTask | undefined {
  const replaying = [...endpoint.inFlight.keys()].filter(({ priority }) => priority === "replay").length;
  if (replaying >= Math.max(1, concurrency * REPLAY_SHARE)) return undefined;
  return endpoint.waiting.replay.shift();
}
