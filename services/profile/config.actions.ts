/** The rules of countries: read and changed by the operator, on the command line or signed in. */
import type { CountryConfig } from "../../shared/contract/answers/country.ts";
import { analystOf, type CallMeta } from "../../shared/identity/caller.ts";
import { QueryReader } from "../../shared/input/query-reader.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { readConfigChange } from "./country/config-input.rules.ts";
import type { Deps } from "./deps.ts";
import { vocabularies } from "./vocabularies.view.ts";

export function configActions({ countries, audit }: Deps) {
  async function change(
    meta: CallMeta,
    countryCode: string,
    body: unknown,
    who: string,
  ): Promise<CountryConfig> {
    const wanted = readConfigChange(countryCode, body);
    const { active } = wanted;
    const identityTypes = wanted.documents?.map(({ identityTypeCode }) => identityTypeCode);
    await audit.asked(meta, {
      action: "country_config.change_asked",
      partnerId: null,
      subject: countryCode,
      before: null,
      after: {
        who,
        ...(active === undefined ? {} : { active }),
        ...(identityTypes ? { identityTypes } : {}),
      },
    });
    return countries.change(countryCode, wanted, who);
  }

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
    vocabularies: published(() => vocabularies({ countries })),
    changeConfig: published(({ params, meta }) =>
      change(meta, params.params.countryCode ?? "", params.body, analystOf(meta).email),
    ),
    listCountryConfigs: internal(async () => ({ items: await countries.list() })),
    changeCountryConfig: internal(({ params: { countryCode, operator = "operator", ...body }, meta }) =>
      change(meta, String(countryCode), body, String(operator)),
    ),
  } satisfies Partial<Actions<"profile">>;
}

/** Versions come highest first. */
const isNewest = (config: CountryConfig, index: number, all: readonly CountryConfig[]): boolean =>
  all[index - 1]?.countryCode !== config.countryCode;
