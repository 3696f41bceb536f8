/** The rules of countries: read and changed by the operator, on the command line or signed in. */
import type { CountryConfig } from "../../shared/action-types/profile.ts";
import { analystOf } from "../../shared/identity/caller.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { QueryReader } from "../../shared/query-reader.ts";
import { readConfigChange } from "./country/config-input.rules.ts";
import type { Deps } from "./deps.ts";

export function configActions({ countries }: Deps) {
  const change = (countryCode: string, body: unknown, who: string): Promise<CountryConfig> =>
    countries.change(countryCode, readConfigChange(countryCode, body), who);

  return {
    listConfigs: published(async ({ params, meta }) => {
      analystOf(meta);
      const reader = new QueryReader(params.query);
      const countryCode = reader.text("countryCode");
      const isAll = reader.finish(reader.flag("versions"));
      const items = await countries.list();
      const wanted = items.filter((config) => countryCode === null || config.countryCode === countryCode);
      return { items: isAll ? wanted : wanted.filter(isNewest) };
    }),
    changeConfig: published(({ params, meta }) =>
      change(params.params.countryCode ?? "", params.body, analystOf(meta).email),
    ),
    listCountryConfigs: internal(async () => ({ items: await countries.list() })),
    changeCountryConfig: internal(({ params: { countryCode, operator = "operator", ...body } }) =>
      change(String(countryCode), body, String(operator)),
    ),
  } satisfies Partial<Actions<"profile">>;
}

/** Versions come highest first. */
const isNewest = (config: CountryConfig, index: number, all: readonly CountryConfig[]): boolean =>
  all[index - 1]?.countryCode !== config.countryCode;
