/** What other services call. */
import type { ActionSchema, Context } from "moleculer";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { customerForUpload, type UploadQuestion } from "./change/customer-for-upload.ts";
import { originOf } from "./change/origin.ts";
import { recordDocument } from "./change/record-document.ts";
import type { Parts } from "./deps.ts";
import type { DocumentSummary } from "./record/profile.types.ts";

type Call<T> = Context<T, CallMeta>;

const offered = <T>(handler: (ctx: Call<T>) => unknown): ActionSchema => ({
  visibility: "public" as const,
  handler: handler as NonNullable<ActionSchema["handler"]>,
});

export const internalActions = (parts: Parts) => ({
  customerForUpload: offered<UploadQuestion>(({ params }) => customerForUpload(parts, params)),
  recordDocument: offered<{ customerId: string; document: DocumentSummary }>(({ params, meta }) =>
    recordDocument(parts, { ...params, origin: originOf(meta) }),
  ),
  confirmEvents: offered<{ eventIds: string[] }>(async ({ params }) => ({
    changed: await parts.outbox.confirm(params.eventIds),
  })),
});
