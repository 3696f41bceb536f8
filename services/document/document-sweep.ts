/** Runs the sweep again and again, and measures what it leaves. */
import { type Lanes, LONG_ROUND_MS } from "../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../shared/poll-loop.ts";
import { sweepDocuments } from "./sweep-documents.ts";
import type { TendDeps } from "./tend-document.ts";

export function createDocumentSweep(
  deps: TendDeps & { everyMs: number; lanes: Pick<Lanes, "lane"> },
): PollLoop {
  const { repository, clock, logger, metrics, everyMs, lanes } = deps;
  return createPollLoop({
    lane: lanes.lane("document sweep", LONG_ROUND_MS),
    everyMs,
    async round(isStopping) {
      while (!isStopping() && (await sweepDocuments(deps)).more);
      metrics.set("pbo_documents_due", await repository.countDue(new Date(clock.now())));
      metrics.set("pbo_documents_last_sweep_timestamp_seconds", clock.now() / 1_000);
    },
    onError: (err) => logger.warn({ err }, "documents.sweep_failed"),
  });
}
