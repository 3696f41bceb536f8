/** A short queue of attempts per endpoint. Replays come after all other attempts of their endpoint. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { DeliveryPriority } from "../records/queue-name.rules.ts";
import { averageDuration, expectDuration, type Pace, paceFor } from "./pace.rules.ts";

/**
 * An attempt as a value. The queue calls send, frees the slot, then calls record. While as many outcomes are being stored
 * as there are slots, no request starts. So a kill repeats at most two attempts per slot.
 */
export type AttemptTask<Sent = unknown> = {
  deliveryId: string;
  endpointId: string;
  priority: DeliveryPriority;
  /** Sends the request. */
  send(): Promise<Sent>;
  /** Stores the outcome. */
  record(sent: Sent): Promise<void>;
  /** Called in place of send when the process stops before its turn. */
  drop(): void;
};

export type EndpointQueues = {
  /** False when the queue of the endpoint is full; the task is then not taken. */
  offer<Sent>(task: AttemptTask<Sent>): boolean;
  /** Free slots and queue room, less the announced attempts. */
  room(endpointId: string, priority: DeliveryPriority): number;
  /** Announces attempts that will be offered, here or in another process. */
  announce(endpointId: string, count: number): void;
  /** From the offer until its outcome is recorded. */
  holds(deliveryId: string): boolean;
  /** Ids of an endpoint. */
  heldIds(endpointId: string): string[];
  held(): number;
  /** Forgets the waiting attempts of an endpoint: they are neither sent nor stored. */
  forget(endpointId: string): void;
  /** Drops the attempts that have not started and waits for the others. */
  stop(): Promise<void>;
};

type Options = {
  maxInFlight: number;
  maxPerEndpoint: number;
  nowMs(): number;
  /** Neither send nor record should reject; the attempt is found in the database when its lease ends. */
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
  /** Answered; the outcome is being stored. */
  storing: Set<AttemptTask>;
};

export function createEndpointQueues({
  maxInFlight,
  maxPerEndpoint,
  nowMs,
  onError,
}: Options): EndpointQueues {
  const endpoints = new Map<string, Endpoint>();
  const averages = new BoundedMap<string, number>(MAX_AVERAGES);
  const announced = new Map<string, { count: number; until: number }>();
  /** Endpoint by delivery. */
  const held = new Map<string, string>();
  const unfinished = new Set<Promise<void>>();
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
    if (held.size >= maxInFlight * HELD_PER_SLOT && inHand(endpoint) > 0) return 0;
    const { concurrency, queue } = pace(endpointId);
    if (priority === "replay") {
      const share = Math.max(1, Math.floor((concurrency + queue) * REPLAY_SHARE));
      return concurrency === 0 ? 0 : share - inHand(endpoint);
    }
    return concurrency + queue - inHand(endpoint) + (endpoint?.waiting.replay.length ?? 0);
  }

  function start(endpointId: string, endpoint: Endpoint): void {
    const { concurrency } = pace(endpointId);
    while (!isStopped && hasRoom(endpoint, Math.max(1, concurrency)) && hasSlot(endpoint)) {
      const task = endpoint.waiting.attempt.shift() ?? nextReplay(endpoint, concurrency);
      if (!task) return;
      run(endpointId, endpoint, task);
    }
  }

  /** Every endpoint may have one request open: its first may go beyond the limit of the process. */
  function hasSlot(endpoint: Endpoint): boolean {
    const limit = slotsOf(endpoint) === 0 ? 2 * maxInFlight : maxInFlight;
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
      endpoint.storing.add(task);
      averages.set(endpointId, averageDuration(averages.get(endpointId) ?? null, nowMs() - startedAt));
      start(endpointId, endpoint);
      startOthers();
    };
    const stored = () => {
      storing -= 1;
      endpoint.storing.delete(task);
      held.delete(task.deliveryId);
      start(endpointId, endpoint);
      if (isIdle(endpoint)) endpoints.delete(endpointId);
      startOthers();
    };
    const work = task
      .send()
      .finally(answered)
      .then((sent) => task.record(sent))
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

  return {
    offer(task) {
      const entry = announced.get(task.endpointId);
      if (entry) entry.count -= 1;
      if (held.has(task.deliveryId) || freeSlots(task.endpointId, task.priority) <= 0) return false;
      const endpoint = endpoints.get(task.endpointId) ?? newEndpoint();
      endpoints.set(task.endpointId, endpoint);
      held.set(task.deliveryId, task.endpointId);
      endpoint.waiting[task.priority].push(task as AttemptTask);
      start(task.endpointId, endpoint);
      return true;
    },
    room: (endpointId, priority) => freeSlots(endpointId, priority) - expected(endpointId),
    announce(endpointId, count) {
      announced.set(endpointId, { count: expected(endpointId) + count, until: nowMs() + ANNOUNCED_MS });
    },
    holds: (deliveryId) => held.has(deliveryId),
    heldIds: (endpointId) =>
      [...held].filter(([, of]) => of === endpointId).map(([deliveryId]) => deliveryId),
    held: () => held.size,
    forget(endpointId) {
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return;
      for (const queue of [endpoint.waiting.attempt, endpoint.waiting.replay])
        for (const { deliveryId } of queue.splice(0)) held.delete(deliveryId);
    },
    async stop() {
      isStopped = true;
      for (const { waiting } of endpoints.values())
        for (const task of [...waiting.attempt.splice(0), ...waiting.replay.splice(0)]) {
          held.delete(task.deliveryId);
          task.drop();
        }
      await Promise.allSettled(unfinished);
    },
  };
}

const newEndpoint = (): Endpoint => ({
  waiting: { attempt: [], replay: [] },
  inFlight: new Map(),
  storing: new Set(),
});

const hasRoom = ({ inFlight, storing }: Endpoint, concurrency: number): boolean =>
  inFlight.size < concurrency && storing.size < concurrency;

const slotsOf = ({ inFlight, storing }: Endpoint): number => inFlight.size + storing.size;

const inHand = (endpoint: Endpoint | undefined): number =>
  endpoint ? slotsOf(endpoint) + endpoint.waiting.attempt.length + endpoint.waiting.replay.length : 0;

const isIdle = (endpoint: Endpoint): boolean => inHand(endpoint) === 0;

function nextReplay(endpoint: Endpoint, concurrency: number): AttemptTask | undefined {
  const taken = [...endpoint.inFlight.keys(), ...endpoint.storing];
  const replaying = taken.filter(({ priority }) => priority === "replay").length;
  if (replaying >= Math.max(1, concurrency * REPLAY_SHARE)) return undefined;
  return endpoint.waiting.replay.shift();
}
