/** Runs the sweep again and again; the first round also looks for secrets under an old key. */
import { createPollLoop, type PollLoop } from "../../shared/poll-loop.ts";
import type { Deps } from "./deps.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

export function createEndpointSweep(deps: Deps, everyMs: number): PollLoop {
  let isResealed = false;
  return createPollLoop({
    everyMs,
    async round() {
      if (!isResealed) await resealSecrets(deps);
      isResealed = true;
      await sweepEndpoints(deps);
    },
    onError: (err) => deps.logger.warn({ err }, "endpoints.sweep_failed"),
  });
}
