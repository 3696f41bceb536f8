/** What other services and the operator call. */
import { type Actions, internal } from "../../shared/moleculer/typed-actions.ts";
import { customerForUpload } from "./change/customer-for-upload.ts";
import { originOf } from "./change/origin.ts";
import { recordDocument } from "./change/record-document.ts";
import type { Deps } from "./deps.ts";
import { eraseCustomer } from "./upkeep/erase-customer.ts";

export const internalActions = (deps: Deps) =>
  ({
    customerForUpload: internal(({ params }) => customerForUpload(deps, params)),
    recordDocument: internal(({ params, meta }) =>
      recordDocument(deps, { ...params, origin: originOf(meta) }),
    ),
    sweepFieldKeys: internal(({ params }) => deps.sweepFieldKeys(params)),
    eraseCustomer: internal(({ params: { customerId, partnerId, operator, reason } }) =>
      eraseCustomer(deps, {
        customerId: String(customerId).toLowerCase(),
        partnerId: String(partnerId).toLowerCase(),
        cause: { by: String(operator), reason: String(reason) },
      }),
    ),
    confirmEvents: internal(async ({ params }) => ({
      changed: await deps.outbox.confirm(params.eventIds),
    })),
  }) satisfies Partial<Actions<"profile">>;
