/** Takes due attempts from JetStream, lets the records judge them, and hands them to the queues of their endpoints. */
import type { Clock } from "../../../shared/clock.ts";
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type EndpointDirectory, isLive, type RegisteredEndpoint } from "../endpoint/endpoint-directory.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";
import { type DeliveryUpdate, givenUp, putOff } from "../records/delivery-update.rules.ts";
import type { EventContent, EventRepository } from "../records/event.repository.ts";
import { laneOf } from "../records/queue-name.rules.ts";
import type { RecentPlan, RecentPlans } from "../records/recent-plans.ts";
import { type AttemptJob, parseJobs } from "./attempt-job.ts";
import type { Attempt, Deliver } from "./deliver.ts";
import { createEndedAttempts, type EndedAttempts } from "./ended-attempts.ts";
import { judgeAttempt } from "./judge-attempt.rules.ts";

export type RunAttemptsPorts = {
  deliveries: Pick<DeliveryRepository, "load">;
  events: Pick<EventRepository, "contents">;
  directory: Pick<EndpointDirectory, "find">;
  recent: Pick<RecentPlans, "take">;
  pauses: Pick<EndpointPauses, "until">;
  queues: Pick<EndpointQueues, "offer" | "holds">;
  deliver: Deliver;
  store(update: DeliveryUpdate): Promise<void>;
  clock: Clock;
  /** For so long nobody else takes an attempt that was handed out. */
  leaseMs: number;
  logger: Logger;
};

type Ports = RunAttemptsPorts & { ended: EndedAttempts };

/** An endpoint with enough in hand is asked again after this long, when the due ones are looked at. */
const BUSY_MS = 1_000;
/** After a fault of ours, doubled each time it is put off. */
const FAULT_MS = 2_000;
const FAULT_LONGEST_MS = 60_000;
/** What waited longer than this in a queue asks again where its endpoint is. */
const FRESH_MS = 1_000;

type Loaded = {
  deliveries: ReadonlyMap<string, OpenDelivery>;
  contents: ReadonlyMap<string, EventContent>;
  endpoints: ReadonlyMap<string, RegisteredEndpoint | null>;
};

type Asked = { message: StreamMessage; jobs: readonly AttemptJob[] };

/** Null when an attempt is settled; otherwise it is to come again, after so long. */
type AgainAfterMs = number | null;

export function runAttempts(given: RunAttemptsPorts): BatchHandler {
  const ports: Ports = { ...given, ended: createEndedAttempts() };
  return async (batch, release) => {
    const asked = batch.flatMap((message) => {
      const jobs = parseJobs(message.text());
      if (jobs) return [{ message, jobs }];
      ports.logger.error({ subject: message.subject, sequence: message.sequence }, "attempt.malformed");
      message.term();
      return [];
    });
    const loaded = await load(ports, asked);
    await allOrFirstFault(
      asked.map(async ({ message, jobs }) => {
        const again = await allOrFirstFault(jobs.map((job) => settle(ports, loaded, job)));
        const delays = again.filter((afterMs) => afterMs !== null);
        if (delays.length > 0) message.nak(Math.max(...delays));
        else message.ack();
        release(message);
      }),
    );
  };
}

/** Waits for all of them, before a fault of one makes the rest come again while it is still in hand. */
async function allOrFirstFault<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function load(ports: RunAttemptsPorts, asked: readonly Asked[]): Promise<Loaded> {
  const plans = new Map(asked.flatMap((each) => recentPlans(ports, each)));
  const unknown = [...plans.keys()].filter((id) => !plans.get(id));
  const found = unknown.length > 0 ? await ports.deliveries.load(unknown) : [];
  const recent = [...plans.values()].filter((plan): plan is RecentPlan => plan !== null);
  const pending = found.filter(({ status }) => status === "Pending");
  const partners = [
    ...new Set([...recent.map(({ delivery }) => delivery), ...pending].map((d) => d.partnerId)),
  ];
  const [contents, endpoints] = await Promise.all([
    pending.length > 0 ? ports.events.contents([...new Set(pending.map(({ eventId }) => eventId))]) : [],
    Promise.all(partners.map((partnerId) => ports.directory.find(partnerId))),
  ]);
  const all = [...found, ...recent.map(({ delivery }) => delivery)];
  const bodies = [...contents, ...recent.map(({ content }) => content)];
  return {
    deliveries: new Map(all.map((delivery) => [delivery._id, delivery])),
    contents: new Map(bodies.map((content) => [content._id, content])),
    endpoints: new Map(partners.map((partnerId, index) => [partnerId, endpoints[index] ?? null])),
  };
}

const recentPlans = ({ recent }: RunAttemptsPorts, { message, jobs }: Asked) =>
  jobs.map(({ deliveryId, attemptNo }): [string, RecentPlan | null] => [
    deliveryId,
    message.deliveryCount === 1 && attemptNo === 1 ? recent.take(deliveryId) : null,
  ]);

/** Rejects only when it is the fault of the database. */
async function settle(ports: Ports, loaded: Loaded, job: AttemptJob): Promise<AgainAfterMs> {
  const delivery = loaded.deliveries.get(job.deliveryId);
  const endpoint = (delivery && loaded.endpoints.get(delivery.partnerId)) ?? null;
  const verdict = judgeAttempt({
    delivery,
    attemptNo: job.attemptNo,
    endpointIsLive: isLive(endpoint),
    pausedUntil: delivery ? ports.pauses.until(delivery.endpointId) : null,
    nowMs: ports.clock.now(),
  });
  // A copy of what is in hand is answered by the one in hand.
  if (ports.queues.holds(job.deliveryId) || ports.ended.has(job.deliveryId, job.attemptNo)) return null;
  if (verdict.kind === "putOff" && delivery)
    await ports.store(putOff(job, delivery, verdict.untilMs, verdict.untilMs));
  if (verdict.kind === "giveUp") await ports.store(givenUp(job, ports.clock.now()));
  if (verdict.kind === "send" && delivery && endpoint)
    return enqueue(ports, job, delivery, endpoint, loaded.contents.get(delivery.eventId));
  return null;
}

/** Resolves when the attempt is settled, put off or dropped. */
async function enqueue(
  ports: Ports,
  job: AttemptJob,
  delivery: OpenDelivery,
  endpoint: RegisteredEndpoint,
  content: EventContent | undefined,
): Promise<AgainAfterMs> {
  if (!content?.envelopeJson) {
    ports.logger.error({ deliveryId: delivery._id, eventId: delivery.eventId }, "attempt.without_event");
    await ports.store(givenUp(job, ports.clock.now()));
    return null;
  }
  const { envelopeJson: body, traceparent } = content;
  const ended = Promise.withResolvers<AgainAfterMs>();
  const offeredAt = ports.clock.now();
  const isTaken = ports.queues.offer({
    deliveryId: delivery._id,
    endpointId: delivery.endpointId,
    lane: laneOf(delivery),
    drop: () => ended.resolve(0),
    run: () =>
      attemptNow(ports, { delivery, endpoint, body, traceparent }, job, {
        sinceMs: ports.clock.now() - offeredAt,
        onEnd: ended.resolve,
      }),
  });
  if (isTaken) return ended.promise;
  await ports.store(putOff(job, delivery, ports.clock.now() + BUSY_MS));
  return null;
}

type Turn = { sinceMs: number; onEnd(again: AgainAfterMs): void };

/** Never rejects, and nor does its last step. */
async function attemptNow(
  ports: Ports,
  attempt: Attempt,
  job: AttemptJob,
  { sinceMs, onEnd }: Turn,
): Promise<() => Promise<void>> {
  const { delivery } = attempt;
  const bringBack = (err: unknown) => {
    ports.logger.warn({ err, ...job }, "attempt.not_stored");
    onEnd(FAULT_MS);
  };
  const settle = (update: DeliveryUpdate) => () => ports.store(update).then(() => onEnd(null), bringBack);
  const now = ports.clock.now();
  const pausedUntil = ports.pauses.until(delivery.endpointId);
  if (pausedUntil !== null) return settle(putOff(job, delivery, pausedUntil, pausedUntil));
  // Another process may take it when its lease ends; it must not have been sent by then.
  if (sinceMs > ports.leaseMs / 3) return settle(putOff(job, delivery, now));
  try {
    const endpoint = sinceMs > FRESH_MS ? await ports.directory.find(delivery.partnerId) : attempt.endpoint;
    if (!isLive(endpoint)) return settle(givenUp(job, now));
    const store = await ports.deliver({ ...attempt, endpoint });
    const ended = () => {
      ports.ended.remember(job.deliveryId, job.attemptNo);
      onEnd(null);
    };
    return () => store().then(ended, bringBack);
  } catch (err) {
    ports.logger.warn({ err, ...job }, "attempt.not_made");
    return settle(putOff(job, delivery, now + faultWaitMs(delivery)));
  }
}

const faultWaitMs = ({ postponed }: OpenDelivery): number =>
  Math.min(FAULT_MS * 2 ** postponed, FAULT_LONGEST_MS);
