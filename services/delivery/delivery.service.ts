/** Events and their deliveries: recorded, sent as signed webhooks, retried, shown, replayed. */
import type { Context } from "moleculer";
import type { LookAt } from "../../shared/contract/actions/delivery.ts";
import { EVENT_TYPES } from "../../shared/contract/events.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { type ActionContext, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { auditKeySweep, auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { COLLECTIONS } from "./collections.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createDeliveryEngine } from "./delivery-engine.ts";
import { listEvents } from "./history/event-feed.ts";
import { getDelivery } from "./history/get-delivery.ts";
import { historyRepository } from "./history/history.repository.ts";
import { createHistoryUpkeep } from "./history/history-upkeep.ts";
import { listDeliveries } from "./history/list-deliveries.ts";
import { readStatistics } from "./history/read-statistics.ts";
import { skippedRepository } from "./history/skipped.repository.ts";
import { statisticsRepository } from "./history/statistics.repository.ts";
import { tallyRepository } from "./history/tally.repository.ts";
import { sendTest } from "./intake/send-test.ts";
import { peersOf } from "./peers.ts";
import { readInTime, usualEnd } from "./records/in-time.ts";
import { getReplay, listReplays, stopReplay } from "./replay/manage-replays.ts";
import { replayRepository } from "./replay/replay.repository.ts";
import { replayDelivery } from "./replay/replay-delivery.ts";
import { replayWindow } from "./replay/replay-window.ts";
import { createReplayWorker } from "./replay/run-replay-jobs.ts";

type HttpContext = ActionContext<HttpParams>;

export default defineService("delivery", (runtime, broker) => {
  const clock = createDatabaseClock(runtime.clock);
  const { config, lanes, logger, mongo } = runtime;
  const { connection } = mongo;
  const peers = peersOf(broker);
  const engine = createDeliveryEngine({ ...runtime, clock }, peers);
  const { events, deliveries, excerpts, onWaiting, isBusy } = engine;
  const { directory, partitions } = engine.endpoints;

  const replays = replayRepository(connection);
  const worker = createReplayWorker({ replays, deliveries, partitions, onWaiting, clock, logger }, lanes);
  const tallies = tallyRepository(connection);
  const upkeep = createHistoryUpkeep({ tallies, isBusy, isFirst: partitions.isFirst, lanes, logger });

  const history = historyRepository(connection);
  const counts = statisticsRepository(connection);
  const skipped = skippedRepository(connection);
  const reads = { history, counts, events, excerpts, clock, config };
  const sends = { history, events, deliveries, directory, partitions, onWaiting, clock };
  const windows = { replays, directory, onJob: wakeWorker, clock, monotonic: performance };
  const audit = auditTrail(connection, {
    service: "delivery",
    clock: runtime.clock,
    keys: config.webhookKeys,
    retentionDays: config.auditRetentionDays,
  });

  /** The first process runs the jobs of all. */
  function wakeWorker(): void {
    const first = partitions.first();
    if (first === null || first === peers.me) worker.wake();
    else peers.lookNow(first, "replays");
  }

  const wakes = new Map<LookAt, () => void>([
    ["partitions", engine.wakePartitions],
    ["deliveries", engine.wakeDue],
    ["replays", () => worker.wake()],
  ]);

  /** Records the caller's request in the audit trail before the work, and logs its result. */
  async function audited<T extends object>(
    ctx: HttpContext,
    fact: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const { meta, action } = ctx;
    const { caller, requestId } = meta;
    const partnerId = partnerOf(meta);
    const asked = audit.asked(meta, {
      action: fact,
      partnerId,
      subject: deliveryIdOf(ctx),
      before: null,
      after: windowIn(ctx.params.body),
    });
    await readInTime(asked, meta.endsAt ?? usualEnd());
    const result = await work();
    const userId = caller?.kind === "user" ? caller.userId : null;
    const facts = { requestId, userId, partnerId, action: action?.name ?? null, result };
    logger.info(facts, "webhook.sending_requested");
    return result;
  }

  return {
    actions: {
      listDeliveries: published(({ meta, params }) => listDeliveries(reads, partnerOf(meta), params.query)),
      listEvents: published(({ meta, params }) => listEvents(reads, partnerOf(meta), params.query)),
      getDelivery: published((ctx) => getDelivery(reads, partnerOf(ctx.meta), deliveryIdOf(ctx))),
      replayDelivery: published((ctx) =>
        audited(ctx, "webhook.replay_asked", () =>
          replayDelivery(sends, partnerOf(ctx.meta), deliveryIdOf(ctx), ctx.meta.endsAt),
        ),
      ),
      replayWindow: published((ctx) => {
        const { body } = ctx.params;
        const replay = () => replayWindow(windows, partnerOf(ctx.meta), body, ctx.meta.endsAt);
        const isOnlyCounted = isRecord(body) && body.dryRun === true;
        return isOnlyCounted ? replay() : audited(ctx, "webhook.window_replay_asked", replay);
      }),
      listReplays: published(({ meta }) => listReplays(windows, partnerOf(meta))),
      getReplay: published(({ meta, params }) => getReplay(windows, partnerOf(meta), seriesIn(params))),
      stopReplay: published(({ meta, params }) =>
        stopReplay({ replays, audit, clock }, meta, partnerOf(meta), seriesIn(params)),
      ),
      statistics: published(({ meta, params }) => readStatistics(reads, partnerOf(meta), params.query)),
      sendTest: published((ctx) =>
        audited(ctx, "webhook.test_asked", () => sendTest(sends, partnerOf(ctx.meta), ctx.meta)),
      ),
      eventTypes: published(() => EVENT_TYPES),
      endpointActivity: internal(({ params }) => engine.activityOf(params)),
      countSkipped: internal(({ params }) => skipped.since(params.partnerId, new Date(params.since))),
      takeAttempts: internal(({ params }) => ({ refused: engine.handOver.take(params.attempts) })),
      lookNow: internal(({ params }) => {
        wakes.get(params.at)?.();
        return {};
      }),
      sweepFieldKeys: internal(async ({ params, meta }) => {
        await auditKeySweep(audit, meta, params);
        return engine.sweepFieldKeys(params);
      }),
      auditEntries: internal(async ({ params }) => ({ items: await audit.list(params) })),
      auditLinks: internal(({ params }) => audit.links(params)),
    },
    events: {
      "webhook-endpoint.changed": (ctx: Context<{ partnerId: string }>) =>
        engine.endpointChanged(ctx.params.partnerId),
    },
    streams: [STREAMS.EVENTS],
    consumers: [CONSUMERS.deliveryRecord],
    collections: COLLECTIONS,
    wroteAt: engine.renewedAt,
    async start() {
      await engine.start();
      worker.start();
      upkeep.start();
    },
    async stop() {
      // In parallel: a long step of the upkeep must not keep attempts going.
      await Promise.all([worker.stop(), upkeep.stop(), engine.stop()]);
    },
  };
});

const seriesIn = ({ params }: HttpParams): string => params.replaySeries ?? "";
const deliveryIdOf = ({ params }: HttpContext): string => params.params.deliveryId ?? "";

const WINDOW_FIELDS = ["from", "to", "eventType", "status", "includeUnrouted"];
const MAX_SHOWN = 200;

/** The window as the caller gave it: short texts and flags of known fields, nothing else. */
function windowIn(body: unknown): Record<string, unknown> | null {
  if (!isRecord(body)) return null;
  const given = WINDOW_FIELDS.flatMap((field) => {
    const value = body[field];
    if (typeof value === "string") return [[field, value.slice(0, MAX_SHOWN)]];
    return typeof value === "boolean" ? [[field, value]] : [];
  });
  return Object.fromEntries(given);
}
