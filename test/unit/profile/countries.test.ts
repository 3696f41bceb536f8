import { describe, expect, test } from "@jest/globals";
import { COUNTRIES, countryName, isCountry } from "../../../services/profile/country/countries.rules.ts";

describe("the table of countries", () => {
  test("has all 249 codes of ISO 3166-1, each with a name", () => {
    expect(COUNTRIES.size).toBe(249);
    for (const [code, name] of COUNTRIES) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect(name).toMatch(/^\p{Lu}/u);
    }
  });

  test("gives a country its usual name", () => {
    expect(countryName("CIV")).toBe("Côte d'Ivoire");
    expect(countryName("TUR")).toBe("Türkiye");
    expect(countryName("GBR")).toBe("United Kingdom");
  });

  test("an unknown code is its own name", () => {
    expect(countryName("ZZZ")).toBe("ZZZ");
  });

  test.each(["NGA", "USA", "SSD", "CUW", "XKX", "EUR", "ZZZ", "nga", "", "constructor"])("%p", (code) => {
    expect(isCountry(code)).toBe(["NGA", "USA", "SSD", "CUW"].includes(code));
  });
});
