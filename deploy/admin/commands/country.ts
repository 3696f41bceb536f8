/** Operator commands for country configurations. */
import { readFileSync } from "node:fs";
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";
import { type Command, type CommandInput, type OptionSpec, type Row, textOf } from "../command.ts";
import { UsageError } from "../usage-error.ts";

const columns = ["countryCode", "version", "active", "accepted", "changedBy", "changedAt", "reason"];
const country: OptionSpec = {
  type: "string",
  required: true,
  value: "ISO3",
  help: "ISO 3166-1 alpha-3 code of the country of residence",
};
const why = {
  reason: { type: "string", value: "text", help: "why, for the record; nothing about a customer" },
} as const satisfies Record<string, OptionSpec>;

export const countryCommands: readonly Command[] = [
  {
    name: "country list",
    reads: true,
    summary: "List the onboarding configuration of every country, newest version only unless --versions",
    options: {
      country: { ...country, required: false },
      versions: { type: "boolean", help: "every version that ever was in force" },
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
    summary: "Set which identity documents people living in a country can use; takes effect at once",
    options: {
      country,
      file: {
        type: "string",
        required: true,
        value: "file",
        help: "JSON list of {identityTypeCode, pattern, label, requiresExpiryDate, …}, as `country list --json` shows it",
      },
      ...why,
    },
    columns,
    example: 'country set --country JPN --file japan.json --reason "new market"',
    run: async (input) =>
      row(
        await input.call("profile.changeCountryConfig", {
          ...common(input),
          documents: readList(textOf(input, "file")),
        }),
      ),
  },
  ...(["on", "off"] as const).map(
    (state): Command => ({
      name: `country switch-${state}`,
      summary:
        state === "on"
          ? "Accept people living in a country again"
          : "Accept no more people living in a country; customers that exist stay",
      options: { country, ...why },
      columns,
      example: `country switch-${state} --country KEN --reason "review of the rules"`,
      run: async (input) =>
        row(
          await input.call("profile.changeCountryConfig", {
            ...common(input),
            active: state === "on",
          }),
        ),
    }),
  ),
];

const common = (input: CommandInput) => ({
  countryCode: textOf(input, "country"),
  operator: textOf(input, "operator"),
  reason: textOf(input, "reason"),
});

const row = (config: CountryConfig): Row => ({
  ...config,
  accepted: config.documents.map(({ identityTypeCode }) => identityTypeCode).join(" "),
});

function readList(file: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new UsageError(`The file ${file} cannot be read as JSON.`);
  }
  const documents = Array.isArray(value) ? value : (value as { documents?: unknown } | null)?.documents;
  if (!Array.isArray(documents)) throw new UsageError(`The file ${file} must hold a list of documents.`);
  return documents;
}
