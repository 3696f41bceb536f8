/** Operator commands for country configurations. */
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";
import {
  type Command,
  type CommandInput,
  fileOf,
  flag,
  optional,
  type Row,
  required,
  textOf,
  UsageError,
} from "../command.ts";

const columns = ["countryCode", "version", "active", "accepted", "changedBy", "changedAt", "reason"];
const CODE = ["ISO3", "ISO 3166-1 alpha-3 code of the country of residence"] as const;
const change = {
  country: required(...CODE),
  reason: optional("text", "why, for the record; nothing about a customer"),
};

export const countryCommands: readonly Command[] = [
  {
    name: "country list",
    anonymous: true,
    summary: "List the onboarding configuration of every country, newest version only unless --versions",
    options: {
      country: optional(...CODE),
      versions: flag("every version that was ever active"),
    },
    columns,
    example: "country list --country NGA --versions --json",
    async run(input) {
      const { items } = await input.call("profile.listCountryConfigs", {});
      const code = textOf(input, "country");
      const wanted = items.filter(({ countryCode }) => code === "" || countryCode === code);
      const isNewest = (config: CountryConfig) =>
        wanted.find(({ countryCode }) => countryCode === config.countryCode) === config;
      return wanted.filter((config) => input.options.versions === true || isNewest(config)).map(row);
    },
  },
  {
    name: "country set",
    summary: "Set which identity documents people living in a country can use; active immediately",
    options: {
      ...change,
      file: required(
        "file",
        "JSON list of {identityTypeCode, pattern, label, requiresExpiryDate, …}, as `country list --json` shows it",
      ),
    },
    columns,
    example: 'country set --country JPN --file japan.json --reason "new market"',
    run: (input) => changed(input, { documents: readList(input) }),
  },
  countrySwitch("on", "Accept people living in a country again"),
  countrySwitch("off", "Accept no more people living in a country; existing customers stay"),
];

function countrySwitch(state: "on" | "off", summary: string): Command {
  return {
    name: `country switch-${state}`,
    summary,
    options: change,
    columns,
    example: `country switch-${state} --country KEN --reason "review of the rules"`,
    run: (input) => changed(input, { active: state === "on" }),
  };
}

async function changed(input: CommandInput, rules: { documents: unknown[] } | { active: boolean }) {
  const config = await input.call("profile.changeCountryConfig", {
    countryCode: textOf(input, "country"),
    operator: textOf(input, "operator"),
    reason: textOf(input, "reason"),
    ...rules,
  });
  return row(config);
}

const row = (config: CountryConfig): Row => ({
  ...config,
  accepted: config.documents.map(({ identityTypeCode }) => identityTypeCode).join(" "),
});

function readList(input: CommandInput): unknown[] {
  const file = textOf(input, "file");
  let value: unknown;
  try {
    value = JSON.parse(fileOf(input, "file"));
  } catch {
    throw new UsageError(`The file ${file} cannot be read as JSON.`);
  }
  const documents = Array.isArray(value) ? value : (value as { documents?: unknown } | null)?.documents;
  if (!Array.isArray(documents)) throw new UsageError(`The file ${file} must contain a list of documents.`);
  return documents;
}
