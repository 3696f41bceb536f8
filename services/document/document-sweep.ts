/** Runs the sweep again and again, one at a time. */
import type { Logger } from "../../shared/logger.ts";
import type { Metrics } from "../../shared/metrics.ts";
import { sweepDocuments } from "./sweep-documents.ts";
import type { TendDeps } from "./tend-document.ts";

type Deps = TendDeps & { everyMs: number; logger: Logger; metrics: Metrics };

export type DocumentSweep = { start(): void; stop(): Promise<void> };

export function createDocumentSweep(deps: Deps): DocumentSweep {
  const { repository, clock, logger, metrics, everyMs } = deps;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      while (!stopped && (await sweepDocuments(deps)).more);
      metrics.set("pbo_documents_due", await repository.countDue(new Date(clock.now())));
      metrics.set("pbo_documents_last_sweep_timestamp_seconds", clock.now() / 1_000);
    } catch (err) {
      logger.warn({ err }, "documents.sweep_failed");
    }
  }

  function plan(afterMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = sweep().then(() => plan(everyMs));
    }, afterMs);
  }

  return {
    start: () => plan(0),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
