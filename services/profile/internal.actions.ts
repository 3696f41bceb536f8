/** Actions for other services and the operator. */
import { type Actions, internal } from "../../shared/moleculer/typed-actions.ts";
import { auditKeySweep } from "../../shared/stores/audit-trail.repository.ts";
import { answerUploads } from "./change/answer-uploads.ts";
import { originOf } from "./change/profile-events.rules.ts";
import { recordDocument } from "./change/record-document.ts";
import type { Deps } from "./deps.ts";
import { ERASED_PARTNER, readErasureReference } from "./record/erased-customer.rules.ts";
import { eraseCustomer } from "./upkeep/erase-customer.ts";

export const internalActions = (deps: Deps) =>
  ({
    uploadRefusals: internal(({ params }) => answerUploads(deps, params.questions)),
    recordDocument: internal(({ params, meta }) =>
      recordDocument(deps, { ...params, origin: originOf(meta) }),
    ),
    sweepFieldKeys: internal(async ({ params, meta }) => {
      await auditKeySweep(deps.audit, meta, params);
      return deps.sweepFieldKeys(params);
    }),
    eraseCustomer: internal(async ({ params, meta }) => {
      const operator = String(params.operator);
      const reason = readErasureReference(params.reason);
      const customerId = String(params.customerId).toLowerCase();
      const partnerId = String(params.partnerId).toLowerCase();
      await deps.audit.asked(meta, {
        action: "customer.erasure_asked",
        partnerId,
        subject: customerId,
        before: null,
        after: { operator, reason },
      });
      return eraseCustomer(deps, { customerId, partnerId, cause: { by: operator, reason } });
    }),
    auditEntries: internal(async ({ params }) => ({ items: await deps.audit.list(params) })),
    auditLinks: internal(({ params }) => deps.audit.links(params)),
    // The last event of an erased customer is in its tombstone.
    confirmEvents: internal(async ({ params: { eventIds, partnerIds } }) => ({
      changed: await deps.outbox.confirm(eventIds, [...partnerIds, ERASED_PARTNER]),
    })),
  }) satisfies Partial<Actions<"profile">>;
