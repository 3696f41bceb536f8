/** What other services call. */
import { type Actions, internal } from "../../shared/moleculer/typed-actions.ts";
import { customerForUpload } from "./change/customer-for-upload.ts";
import { originOf } from "./change/origin.ts";
import { recordDocument } from "./change/record-document.ts";
import type { Deps } from "./deps.ts";

export const internalActions = (deps: Deps) =>
  ({
    customerForUpload: internal(({ params }) => customerForUpload(deps, params)),
    recordDocument: internal(({ params, meta }) =>
      recordDocument(deps, { ...params, origin: originOf(meta) }),
    ),
    sweepFieldKeys: internal(({ params }) => deps.sweepFieldKeys(params)),
    confirmEvents: internal(async ({ params }) => ({
      changed: await deps.outbox.confirm(params.eventIds),
    })),
  }) satisfies Partial<Actions<"profile">>;
