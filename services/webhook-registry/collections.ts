/** The collections of this service: type, indexes, and shard key or the reason against one. */
import { collection } from "../../shared/mongo/collections.rules.ts";
import { AUDIT_ENTRIES } from "../../shared/stores/audit-trail.repository.ts";
import { PARTNER_STANDINGS } from "../../shared/stores/partner-standings.repository.ts";
import type { Endpoint } from "./endpoint.model.ts";

export const COLLECTIONS = {
  endpoints: collection<Endpoint>("webhook_endpoints", {
    shards: "one per partner",
    indexes: [
      { key: { partnerId: 1 }, unique: true },
      // For the sweep: endpoints without success for long, and secrets after their overlap.
      { key: { status: 1, failingSince: 1 } },
      { key: { "secrets.notAfter": 1 } },
    ],
  }),
  partnerStandings: PARTNER_STANDINGS,
  auditEntries: AUDIT_ENTRIES,
};
