/** Runs the sweep again and again, and after the first start looks for secrets under an old key. */
import { createRepeat, type Repeat } from "../../shared/repeat.ts";
import type { Deps } from "./deps.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

export function createEndpointSweep(deps: Deps, everyMs: number): Repeat {
  let isResealed = false;
  return createRepeat(everyMs, async () => {
    try {
      if (!isResealed) await resealSecrets(deps);
      isResealed = true;
      await sweepEndpoints(deps);
    } catch (err) {
      deps.logger.warn({ err }, "endpoints.sweep_failed");
    }
  });
}
