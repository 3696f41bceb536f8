/** Runs the sweep again and again, one at a time, and after the first start looks for secrets under an old key. */
import type { RegistryDeps } from "./registry-deps.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

export type EndpointSweep = { start(): void; stop(): Promise<void> };

export function createEndpointSweep(deps: RegistryDeps, everyMs: number): EndpointSweep {
  let isResealed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      if (!isResealed) await resealSecrets(deps);
      isResealed = true;
      await sweepEndpoints(deps);
    } catch (err) {
      deps.logger.warn({ err }, "endpoints.sweep_failed");
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
