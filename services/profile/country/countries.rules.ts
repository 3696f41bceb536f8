/** ISO 3166-1 alpha-3: every code in force, with its usual English name. */
import names from "./countries.json" with { type: "json" };

export const COUNTRIES: ReadonlyMap<string, string> = new Map(Object.entries(names));

export const isCountry = (code: string): boolean => COUNTRIES.has(code);

export const countryName = (code: string): string => COUNTRIES.get(code) ?? code;
