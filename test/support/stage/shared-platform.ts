/** A platform for all parts of a test file; each part has accounts of its own, or runs in its turn. */
import { freePort } from "../../../deploy/local/ports.ts";
import { lazily } from "../../../shared/lazily.ts";
import { startRecorder } from "../http/recorder.ts";
import { isNightly } from "../repetitions.ts";
import { startOtlpCollector } from "../servers/otlp-collector.ts";
import { startPlatform } from "./platform.ts";

export const journeyTraces = lazily(startOtlpCollector);

/** Nightly, in front of the gateway of the journeys. */
export const journeyRecorder = lazily(async () => {
  const gatewayPort = await freePort();
  return { gatewayPort, ...(await startRecorder(gatewayPort)) };
});

async function behindRecorder(): Promise<Record<string, string>> {
  if (!isNightly) return {};
  const { gatewayPort, url } = await journeyRecorder();
  return { PBO_PORT: String(gatewayPort), PBO_BASE_URL: url };
}

/** For journeys and kills of our processes: it uses the servers of the whole run. */
export const journeyPlatform = lazily(async () =>
  startPlatform({
    anyServers: true,
    env: {
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_WEBHOOK_SWEEP_MS: "1000",
      // Longer than any other part lets an endpoint fail, however busy the machine is.
      PBO_WEBHOOK_DISABLED_AFTER_MS: "20000",
      PBO_WEBHOOK_DNS_TIMEOUT_MS: "1000",
      PBO_ERASURE_SWEEP_MS: "1000",
      PBO_OTLP_ENDPOINT: (await journeyTraces()).url,
      ...(await behindRecorder()),
    },
  }),
);

/** Its own servers may be stopped and killed like everything else. */
export const faultPlatform = lazily(() =>
  startPlatform({
    env: {
      PBO_DOCUMENT_FIRST_LOOK_MS: "2000",
      PBO_DOCUMENT_SWEEP_MS: "1000",
      PBO_DELIVERY_LEASE_MS: "5000",
    },
  }),
);
