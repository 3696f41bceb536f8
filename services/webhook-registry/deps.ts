/** Dependencies of this service's use cases. */
import type { Clock } from "../../shared/clock.ts";
import type { AuditTrail } from "../../shared/stores/audit-trail.repository.ts";
import type { PartnerStandings } from "../../shared/stores/partner-standings.repository.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import type { ResolveOptions } from "../../shared/webhook/webhook-url.ts";
import type { EndpointRepository } from "./endpoint.repository.ts";
import type { HealthThresholds } from "./health.rules.ts";
import type { SecretVault } from "./secret-vault.ts";

export type Deps = {
  endpoints: EndpointRepository;
  standings: PartnerStandings;
  audit: AuditTrail;
  vault: SecretVault;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  destination: ResolveOptions;
  thresholds: HealthThresholds;
  /** Other processes then drop the endpoint from their caches. */
  announceChange(partnerId: string): void;
};
