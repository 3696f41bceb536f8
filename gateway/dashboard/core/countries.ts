/** Codes of countries and their names. */
import { api } from "./api.ts";
import { useRead } from "./read.ts";

export function useCountries(): (readonly [code: string, name: string])[] {
  const vocabularies = useRead("vocabularies", api.vocabularies);
  return (vocabularies.value?.countries ?? []).map(({ code, name }) => [code, name] as const);
}

/** The code itself where it has no name, or not yet. */
export function useCountryName(): (code: string) => string {
  const names = new Map(useCountries());
  return (code) => names.get(code) ?? code;
}
