/** The rules of countries: read and changed by the operator, on the command line or signed in. */
import type { ActionSchema, Context } from "moleculer";
import { analystOf, type CallMeta } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { readConfigChange } from "./country/config-input.rules.ts";
import type { CountryConfig } from "./country/country-config.rules.ts";
import type { Parts } from "./deps.ts";
import { QueryReader } from "./record/list-filter.rules.ts";

type HttpContext = Context<HttpParams, CallMeta>;
type AdminContext = Context<Record<string, unknown>, CallMeta>;

export function configActions({ countries }: Parts) {
  const change = (countryCode: string, body: unknown, who: string): Promise<CountryConfig> =>
    countries.change(countryCode, readConfigChange(countryCode, body), who);

  return {
    listConfigs: {
      visibility: "published" as const,
      async handler({ params, meta }: HttpContext) {
        analystOf(meta);
        const reader = new QueryReader(params.query);
        const countryCode = reader.text("countryCode");
        const isAll = reader.finish(reader.flag("versions"));
        const items = await countries.list();
        const wanted = items.filter((config) => countryCode === null || config.countryCode === countryCode);
        return { items: isAll ? wanted : wanted.filter(isNewest) };
      },
    },
    changeConfig: {
      visibility: "published" as const,
      handler: ({ params, meta }: HttpContext) =>
        change(params.params.countryCode ?? "", params.body, analystOf(meta).email),
    },
    listCountryConfigs: {
      visibility: "public" as const,
      handler: async () => ({ items: await countries.list() }),
    },
    changeCountryConfig: {
      visibility: "public" as const,
      handler({ params: { countryCode, operator = "operator", ...body } }: AdminContext) {
        return change(String(countryCode), body, String(operator));
      },
    },
  };
}

/** Versions come highest first. */
const isNewest = (config: CountryConfig, index: number, all: readonly CountryConfig[]): boolean =>
  all[index - 1]?.countryCode !== config.countryCode;
