/** Runs the sweep again and again, and measures what it leaves. */

import { createRepeat, type Repeat } from "../../shared/repeat.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import { sweepDocuments } from "./sweep-documents.ts";
import type { TendDeps } from "./tend-document.ts";

type Deps = TendDeps & { everyMs: number; logger: Logger; metrics: Metrics };

export function createDocumentSweep(deps: Deps): Repeat {
  const { repository, clock, logger, metrics, everyMs } = deps;
  return createRepeat(everyMs, async (isStopped) => {
    try {
      while (!isStopped() && (await sweepDocuments(deps)).more);
      metrics.set("pbo_documents_due", await repository.countDue(new Date(clock.now())));
      metrics.set("pbo_documents_last_sweep_timestamp_seconds", clock.now() / 1_000);
    } catch (err) {
      logger.warn({ err }, "documents.sweep_failed");
    }
  });
}
