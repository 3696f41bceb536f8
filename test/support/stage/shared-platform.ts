/** A platform for all parts of a test file; each part has accounts of its own, or runs in its turn. */
import { lazily } from "../../../shared/lazily.ts";
import { startOtlpCollector } from "../servers/otlp-collector.ts";
import { startPlatform } from "./platform.ts";

export const journeyTraces = lazily(startOtlpCollector);

/** For journeys, which kill no server: it stands on those of the whole run. */
export const journeyPlatform = lazily(async () =>
  startPlatform({
    anyServers: true,
    env: {
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_WEBHOOK_SWEEP_MS: "1000",
      // Longer than any other part lets an endpoint fail, however busy the machine is.
      PBO_WEBHOOK_DISABLED_AFTER_MS: "20000",
      PBO_WEBHOOK_DNS_TIMEOUT_MS: "1000",
      PBO_OTLP_ENDPOINT: (await journeyTraces()).url,
    },
  }),
);

/** On servers of its own, which may be stopped and killed like everything else. */
export const faultPlatform = lazily(() =>
  startPlatform({
    env: {
      PBO_DOCUMENT_FIRST_LOOK_MS: "2000",
      PBO_DOCUMENT_SWEEP_MS: "1000",
      PBO_DELIVERY_LEASE_MS: "5000",
      PBO_ERASURE_SWEEP_MS: "1000",
    },
  }),
);
