/** Vocabularies, and the rules of countries: an operator changes them on the command line or in the dashboard. */
import type { CountryConfig, Vocabularies } from "../../shared/contract/answers/country.ts";
import {
  BUSINESS_DOCUMENT_CATEGORIES,
  BUSINESS_TYPES,
  CONTENT_TYPES,
  IDENTITY_TYPES,
  OWNERSHIP_TYPES,
  PERSON_DOCUMENT_CATEGORIES,
  REASON_CODES,
  REVIEW_STAGES,
  TARGET_KINDS,
  VERIFICATION_STATUSES,
} from "../../shared/contract/vocabularies.ts";
import { analystOf, type CallMeta } from "../../shared/identity/caller.ts";
import { QueryReader } from "../../shared/input/query-reader.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { TARGET_FIELDS } from "./change/change-requests.rules.ts";
import { readConfigChange } from "./country/config-input.rules.ts";
import { listCountries } from "./country/country-lists.ts";
import type { Deps } from "./deps.ts";

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

/** The closed lists that forms offer. */
const vocabularies = (deps: Pick<Deps, "countries">): Vocabularies => ({
  reasonCodes: REASON_CODES,
  targets: TARGET_KINDS.map((kind) => ({ kind, fields: TARGET_FIELDS[kind] })),
  businessDocumentCategories: BUSINESS_DOCUMENT_CATEGORIES,
  personDocumentCategories: PERSON_DOCUMENT_CATEGORIES,
  contentTypes: CONTENT_TYPES,
  identityTypes: IDENTITY_TYPES,
  ownershipTypes: OWNERSHIP_TYPES,
  verificationStatuses: VERIFICATION_STATUSES,
  reviewStages: REVIEW_STAGES,
  businessTypes: BUSINESS_TYPES,
  countries: listCountries(deps).items,
});

/** Versions are sorted from the highest. */
const isNewest = (config: CountryConfig, index: number, all: readonly CountryConfig[]): boolean =>
  all[index - 1]?.countryCode !== config.countryCode;
