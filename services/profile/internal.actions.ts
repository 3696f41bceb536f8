/** What other services and the operator's commands call. */
import type { ActionSchema, Context } from "moleculer";
import type { CallMeta } from "../../shared/caller.ts";
import type { DocumentRuleInput } from "./country-config.rules.ts";
import type { Operator } from "./country-configs.ts";
import { customerForUpload, type UploadQuestion } from "./customer-for-upload.ts";
import { originOf } from "./origin.ts";
import type { Parts } from "./parts.ts";
import type { DocumentSummary } from "./profile.types.ts";
import { recordDocument } from "./record-document.ts";

type Call<T> = Context<T, CallMeta>;
type ConfigInput = { countryCode: string; operator?: string; reason?: string };

const offered = <T>(handler: (ctx: Call<T>) => unknown): ActionSchema => ({
  visibility: "public",
  handler: handler as NonNullable<ActionSchema["handler"]>,
});

const operatorOf = ({ operator = "operator", reason = "" }: ConfigInput): Operator => ({
  name: operator,
  reason,
});

export const internalActions = (parts: Parts): Record<string, ActionSchema> => ({
  customerForUpload: offered<UploadQuestion>(({ params }) => customerForUpload(parts, params)),
  recordDocument: offered<{ customerId: string; document: DocumentSummary }>(({ params, meta }) =>
    recordDocument(parts, { ...params, origin: originOf(meta) }),
  ),
  confirmEvents: offered<{ eventIds: string[] }>(async ({ params }) => ({
    changed: await parts.outbox.confirm(params.eventIds),
  })),
  listCountryConfigs: offered(async () => ({ items: await parts.countries.list() })),
  putCountryConfig: offered<ConfigInput & { documents: DocumentRuleInput[] }>(({ params }) =>
    parts.countries.put(params.countryCode, params.documents, operatorOf(params)),
  ),
  switchCountry: offered<ConfigInput & { active: boolean }>(({ params }) =>
    parts.countries.switch(params.countryCode, params.active === true, operatorOf(params)),
  ),
});
