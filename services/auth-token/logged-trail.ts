/** The audit log of this service: a stored change is also logged and takes effect immediately in this process. */

import type { AuditTrail } from "../../shared/stores/audit-trail.repository.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { TokenClients } from "./token/token-clients.ts";

type Deps = { logger: Logger; clients: Pick<TokenClients, "forget"> };

export const loggedTrail = (trail: AuditTrail, { logger, clients }: Deps): AuditTrail => ({
  ...trail,
  async change(meta, work) {
    const { value, fact } = await trail.change(meta, async (session) => {
      const done = await work(session);
      return { value: done, fact: done.fact };
    });
    if (fact) {
      clients.forget();
      const { requestId, operator, caller = null } = meta;
      const userId = caller && "userId" in caller ? caller.userId : undefined;
      const { action, partnerId, subject } = fact;
      logger.info({ requestId, operator, partnerId, userId, recordId: subject }, action);
    }
    return value;
  },
});
