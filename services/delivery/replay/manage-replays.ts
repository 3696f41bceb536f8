/** Replays of windows, as the dashboard shows and stops them. */
import type { Clock } from "../../../shared/clock.ts";
import type { ReplayDetail, ReplayView } from "../../../shared/contract/answers/delivery.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { isUuid } from "../../../shared/ids.ts";
import type { AuditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import { ALL_EVENT_TYPES } from "../history/history.rules.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import type { ReplayJob } from "./replay-job.model.ts";

type Deps = { replays: Pick<ReplayRepository, "list" | "find" | "progress" | "stop"> };
type StopDeps = Deps & { audit: Pick<AuditTrail, "change">; clock: Clock };

const MAX_LISTED = 50;

export const listReplays = async (
  { replays }: Deps,
  partnerId: string,
): Promise<{ items: ReplayView[] }> => ({
  items: (await replays.list(partnerId, MAX_LISTED)).map(replayView),
});

export async function getReplay({ replays }: Deps, partnerId: string, series: string): Promise<ReplayDetail> {
  const job = isUuid(series) ? await replays.find(partnerId, series.toLowerCase()) : null;
  if (!job) throw new AppError("Webhook.ReplayNotFound", "There is no such replay.");
  const deliveries = await replays.progress(job);
  const view = replayView(job);
  if (!job.isStopped) return { ...view, deliveries };
  // The worker may have scheduled deliveries that it could no longer count.
  const scheduled = deliveries.pending + deliveries.delivered + deliveries.exhausted;
  return { ...view, created: Math.max(view.created, scheduled), deliveries };
}

/** Scheduled deliveries are still sent; a finished replay stays finished. */
export async function stopReplay(
  deps: StopDeps,
  meta: CallMeta,
  partnerId: string,
  series: string,
): Promise<ReplayDetail> {
  const { replaySeries, created, expected } = await getReplay(deps, partnerId, series);
  await deps.audit.change(meta, async (session) => {
    const isStopped = await deps.replays.stop(replaySeries, deps.clock.now(), session);
    const fact = { action: "webhook.replay_stopped", partnerId, subject: replaySeries, before: null };
    return { value: null, fact: isStopped ? { ...fact, after: { created, expected } } : null };
  });
  return getReplay(deps, partnerId, replaySeries);
}

const replayView = (job: ReplayJob): ReplayView => ({
  replaySeries: job._id,
  state: job.finishedAt === null ? "Running" : job.isStopped ? "Stopped" : "Finished",
  from: job.from.toISOString(),
  to: job.to.toISOString(),
  eventType: job.eventTypes.length < ALL_EVENT_TYPES.length ? (job.eventTypes[0] ?? null) : null,
  status: job.status,
  includeUnrouted: job.includeUnrouted,
  askedAt: job.askedAt.toISOString(),
  finishedAt: job.finishedAt?.toISOString() ?? null,
  created: job.created,
  expected: job.expected,
});
