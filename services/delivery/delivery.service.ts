/** Events and their deliveries: recorded, sent as signed webhooks, retried, shown, replayed. */
import type { Context } from "moleculer";
import { EVENT_TYPES } from "../../shared/events/events.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { type ActionContext, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { createDeliveryEngine } from "./delivery-engine.ts";
import { countSkipped } from "./history/count-skipped.ts";
import { getDelivery } from "./history/get-delivery.ts";
import { historyRepository } from "./history/history.repository.ts";
import { createHistoryUpkeep } from "./history/history-upkeep.ts";
import { listDeliveries } from "./history/list-deliveries.ts";
import { skippedRepository } from "./history/skipped.repository.ts";
import { tallyModel } from "./history/tally.model.ts";
import { sendTest } from "./intake/send-test.ts";
import { neighboursOf } from "./neighbours.ts";
import { deliveryModel } from "./records/delivery.model.ts";
import { eventModel } from "./records/event.model.ts";
import { replayRepository } from "./replay/replay.repository.ts";
import { replayDelivery } from "./replay/replay-delivery.ts";
import { replayJobModel } from "./replay/replay-job.model.ts";
import { replayWindow } from "./replay/replay-window.ts";
import { createReplayWorker } from "./replay/replay-worker.ts";

type HttpContext = ActionContext<HttpParams>;

export default defineService("delivery", (runtime, broker) => {
  const { connection } = runtime.mongo;
  const engine = createDeliveryEngine(runtime, neighboursOf(broker));
  const replays = replayRepository(connection);
  const worker = createReplayWorker({ ...runtime, ...engine, replays, onWaiting: engine.wake });
  const upkeep = createHistoryUpkeep({ ...runtime, isBusy: engine.isBusy });
  const deps = {
    ...engine,
    replays,
    history: historyRepository(connection),
    skipped: skippedRepository(connection),
    onJob: worker.wake,
    leaseMs: runtime.config.deliveryLeaseMs,
    clock: runtime.clock,
    monotonic: performance,
  };

  /** Logs who had something sent. */
  async function logged<T extends object>({ meta, action }: HttpContext, work: Promise<T>): Promise<T> {
    const result = await work;
    const userId = meta.caller?.kind === "user" ? meta.caller.userId : null;
    const ids = {
      requestId: meta.requestId,
      userId,
      partnerId: partnerOf(meta),
      action: action?.name ?? null,
    };
    runtime.logger.info({ ...ids, result }, "webhook.sending_asked");
    return result;
  }

  return {
    actions: {
      listDeliveries: published(({ meta, params }) => listDeliveries(deps, partnerOf(meta), params.query)),
      getDelivery: published((ctx) => getDelivery(deps, partnerOf(ctx.meta), deliveryIdOf(ctx))),
      replayDelivery: published((ctx) =>
        logged(ctx, replayDelivery(deps, partnerOf(ctx.meta), deliveryIdOf(ctx), ctx.meta.endsAt)),
      ),
      replayWindow: published((ctx) =>
        logged(ctx, replayWindow(deps, partnerOf(ctx.meta), ctx.params.body, ctx.meta.endsAt)),
      ),
      sendTest: published((ctx) => logged(ctx, sendTest(deps, partnerOf(ctx.meta), ctx.meta))),
      eventTypes: published(() => EVENT_TYPES),
      countSkipped: internal(({ params }) => countSkipped(deps, params)),
    },
    events: {
      "webhook-endpoint.changed": (ctx: Context<{ partnerId: string }>) =>
        engine.directory.forget(ctx.params.partnerId),
    },
    streams: [STREAMS.EVENTS, STREAMS.DELIVERIES, STREAMS.BEATS],
    consumers: [CONSUMERS.deliveryRecord, CONSUMERS.deliveryAttempt, CONSUMERS.deliveryReplay],
    async ensureIndexes() {
      for (const model of [eventModel, deliveryModel, tallyModel, replayJobModel])
        await model(connection).createIndexes();
      await engine.ensureIndexes();
    },
    async start() {
      engine.start();
      worker.start();
      upkeep.start();
    },
    async stop() {
      // None waits for another: a long step of the upkeep must not keep attempts going.
      await Promise.all([worker.stop(), upkeep.stop(), engine.stop()]);
    },
  };
});

const deliveryIdOf = ({ params }: HttpContext): string => params.params.deliveryId ?? "";
