import { describe, expect, test } from "@jest/globals";
import {
  configOfSeed,
  documentRule,
  formatOf,
  requirementsOf,
} from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { countryDirectory } from "../../../services/profile/country/country-directory.rules.ts";
import { identityRemarks, identityViolations } from "../../../services/profile/country/identity.rules.ts";

const AT = "2030-06-15T12:00:00.000Z";
const configs = Object.entries(COUNTRY_SEED).map(([code, row]) => configOfSeed(code, row, AT));
const directoryOf = (given: typeof configs) => countryDirectory(given, () => Date.parse(AT));
const seeded = directoryOf(configs);
const contextOf = (residence: string, { inForce, latest } = seeded) => {
  const rules = inForce(residence);
  if (!rules) throw new Error(`${residence} is not configured`);
  return { residence: rules, rulesOf: latest, today: "2030-06-15" };
};
/** The seed with these fields in each rule of each country. */
const withRules = (change: Partial<(typeof configs)[number]["documents"][number]>) =>
  directoryOf(
    configs.map((config) => ({
      ...config,
      documents: config.documents.map((rule) => ({ ...rule, ...change })),
    })),
  );

type Identity = Record<string, unknown>;
const fieldsOf = (residence: string, identity: Identity) =>
  identityViolations(identity, "i", contextOf(residence)).map(({ field }) => field.slice(2));

const dated = { issueDate: "2028-01-01", expiryDate: "2035-01-01" };
const passport = {
  identityTypeCode: "PASSPORT",
  issuingCountry: "NGA",
  identityValue: "A01234567",
  ...dated,
};

/** Residence, type, number, whether it is accepted. */
const NUMBERS: [string, string, string, boolean][] = [
  ["NGA", "PASSPORT", "A01234567", true],
  ["NGA", "PASSPORT", "a01234567", true],
  ["NGA", "NATIOANL_ID", "12345678901", true],
  ["NGA", "NATIOANL_ID", "1234567890", false],
  ["NGA", "BVN", "22123456789", true],
  ["NGA", "DRIVING_LICENCE", "ABC123456789", true],
  ["NGA", "DRIVING_LICENCE", "ABCDEFGHIJKL", false],
  ["NGA", "DRIVING_LICENCE", "123456789012", false],
  ["NGA", "VOTER_CARD", "90F5AFC6DD295841234", true],
  ["NGA", "RESIDENCE_CARD", "R-123456", true],
  ["GHA", "NATIOANL_ID", "GHA-123456789-0", true],
  ["GHA", "IDENTITY_CARD", "GHA1234567890", true],
  ["KEN", "DRIVING_LICENCE", "A", true],
  ["KEN", "NATIOANL_ID", "12345", false],
  ["ZAF", "NATIOANL_ID", "8001015009087", true],
  ["ZAF", "NATIOANL_ID", "8013015009087", false],
  ["TZA", "NATIOANL_ID", "19850505-14111-00001-23", true],
  ["RWA", "NATIOANL_ID", "1 1980 8 0012345 1 23", true],
  ["RWA", "NATIOANL_ID", "1198080012345123", true],
  ["ZMB", "IDENTITY_CARD", "123456/10/1", true],
  ["ZMB", "IDENTITY_CARD", "123456101", false],
  ["MOZ", "PASSPORT", "12AB34567", true],
  ["MOZ", "VOTER_CARD", "AB 12/34", true],
  ["GBR", "DRIVING_LICENCE", "MORGA657054SM9IJ", true],
  ["GBR", "DRIVING_LICENCE", "12345678", true],
  ["GBR", "DRIVING_LICENCE", "1234567", false],
  ["FRA", "IDENTITY_CARD", "123456789012", true],
  ["ESP", "IDENTITY_CARD", "12345678Z", true],
  ["ESP", "IDENTITY_CARD", "12345678A", false],
  ["ESP", "RESIDENCE_CARD", "X1234567L", true],
  ["ESP", "DRIVING_LICENCE", "X1234567L", true],
  ["ESP", "DRIVING_LICENCE", "12345678Z", true],
  ["ESP", "DRIVING_LICENCE", "12345678B", false],
  ["CHN", "IDENTITY_CARD", "11010519491231002X", true],
  ["CHN", "IDENTITY_CARD", "110105194912310021", false],
  ["BEL", "NATIOANL_ID", "85.07.30-033.28", true],
  ["USA", "NATIOANL_ID", "123-45-6789", true],
  ["USA", "NATIOANL_ID", "666-45-6789", false],
  ["USA", "NATIOANL_ID", "123-00-6789", false],
  ["IND", "OTHERS", "ABCDE1234F", true],
  ["IND", "NATIOANL_ID", "2341 2341 2346", true],
  ["BGD", "NATIOANL_ID", "1234567890123", true],
  ["BGD", "NATIOANL_ID", "12345678901", false],
  ["HKG", "IDENTITY_CARD", "A123456(3)", true],
  ["CIV", "IDENTITY_CARD", "C 0012345.6", true],
  ["CIV", "IDENTITY_CARD", "c001234", true],
  ["CIV", "OTHERS", "AB", false],
  ["CIV", "OTHERS", "A12", true],
];

describe("identity numbers", () => {
  test.each(NUMBERS)("%s %s %s: %p", (residence, type, value, accepted) => {
    const identity = { identityTypeCode: type, issuingCountry: residence, identityValue: value, ...dated };
    expect(fieldsOf(residence, identity)).toEqual(accepted ? [] : ["identityValue"]);
  });

  test("a passport of another country follows that country's rule", () => {
    const french = { ...passport, issuingCountry: "FRA" };
    expect(fieldsOf("NGA", { ...french, identityValue: "12AB34567" })).toEqual([]);
    expect(fieldsOf("NGA", { ...french, identityValue: "A01234567" })).toEqual(["identityValue"]);
  });

  test("a passport of a country without a rule is checked for its length only", () => {
    const japanese = { ...passport, issuingCountry: "JPN" };
    expect(fieldsOf("NGA", { ...japanese, identityValue: "TK1234567" })).toEqual([]);
    expect(fieldsOf("NGA", { ...japanese, identityValue: "TK" })).toEqual(["identityValue"]);
  });

  test("a passport of a country that is switched off still follows its rule", () => {
    const off = directoryOf(
      configs.map((config) => (config.countryCode === "FRA" ? { ...config, active: false } : config)),
    );
    const french = { ...passport, issuingCountry: "FRA" };
    expect(() => contextOf("FRA", off)).toThrow("not configured");
    expect(identityViolations(french, "i", contextOf("NGA", off))).toMatchObject([
      { field: "i.identityValue" },
    ]);
  });

  test.each([
    ["ZAF", "NATIOANL_ID", "8001015009088", ["Identity.CheckDigit"]],
    ["ZAF", "NATIOANL_ID", "8001015009087", []],
    ["IND", "NATIOANL_ID", "234123412347", ["Identity.CheckDigit"]],
    ["NGA", "NATIOANL_ID", "12345678901", []],
    ["GBR", "BVN", "not accepted there", []],
  ])("%s %s %s: remarks %j", (residence, type, value, remarks) => {
    expect(identityRemarks(type, residence, value, contextOf(residence))).toEqual(remarks);
  });
});

describe("identity types and issuers", () => {
  test.each([
    ["BVN", "GBR", expect.stringContaining("GBR")],
    ["NATIONAL_ID", "NGA", "is spelt NATIOANL_ID on this interface"],
  ])("%s from people living in %s: refused with a hint", (identityTypeCode, residence, message) => {
    const code = "ValidationControl.Error";
    expect(identityViolations({ ...passport, identityTypeCode }, "i", contextOf(residence))).toMatchObject([
      { field: "i.identityTypeCode", code, message },
    ]);
  });

  test.each([
    ["NATIOANL_ID", "12345678901"],
    ["DRIVING_LICENCE", "ABC123456789"],
    ["RESIDENCE_CARD", "R-123456"],
    ["VOTER_CARD", "90F5AFC6DD295841234"],
    ["BVN", "22123456789"],
  ])("%s must be issued by the country of residence", (type, value) => {
    const identity = { ...passport, identityTypeCode: type, issuingCountry: "GHA", identityValue: value };
    expect(fieldsOf("NGA", identity)).toEqual(["issuingCountry"]);
  });

  test.each(["PASSPORT", "OTHERS"])("%s may be issued anywhere", (type) => {
    const identity = {
      ...passport,
      identityTypeCode: type,
      issuingCountry: "GHA",
      identityValue: "GA012345",
    };
    expect(fieldsOf("NGA", identity)).toEqual([]);
  });
});

describe("identity dates", () => {
  const dates = (residence: string, type: string, given: Identity, value = "12345678") =>
    fieldsOf(residence, {
      identityTypeCode: type,
      issuingCountry: residence,
      identityValue: value,
      ...given,
    });

  test.each([
    ["NGA", "PASSPORT", "A01234567", ["expiryDate"]],
    ["NGA", "DRIVING_LICENCE", "ABC123456789", ["expiryDate"]],
    ["NGA", "RESIDENCE_CARD", "R123456", ["expiryDate"]],
    ["NGA", "NATIOANL_ID", "12345678901", []],
    ["NGA", "VOTER_CARD", "90F5AFC6DD", []],
    ["NGA", "OTHERS", "ABC", []],
    ["MEX", "VOTER_CARD", "ABCDEF12345678H123", ["expiryDate"]],
    ["FRA", "DRIVING_LICENCE", "123456789012", ["issueDate"]],
    ["DEU", "DRIVING_LICENCE", "B072RRE2I55".replace("I", "1"), []],
  ])("%s %s %s without dates: %j", (residence, type, value, missing) => {
    expect(dates(residence, type, {}, value)).toEqual(missing);
  });

  test.each<[string, Identity, string[]]>([
    ["today", { issueDate: "2030-06-15", expiryDate: "2030-06-16" }, []],
    ["issued tomorrow", { issueDate: "2030-06-16", expiryDate: "2031-01-01" }, ["issueDate"]],
    ["expired yesterday", { issueDate: "2020-01-01", expiryDate: "2030-06-14" }, ["expiryDate"]],
    ["expires today", { expiryDate: "2030-06-15" }, ["expiryDate"]],
    [
      "expires before it was issued",
      { issueDate: "2030-06-10", expiryDate: "2030-06-10" },
      ["expiryDate", "expiryDate"],
    ],
  ])("%s", (_name, given, expected) => {
    expect(dates("GBR", "PASSPORT", given, "123456789")).toEqual(expected);
  });

  test("a date that no rule asks for is checked all the same", () => {
    expect(dates("NGA", "NATIOANL_ID", { expiryDate: "2000-01-01" }, "12345678901")).toEqual(["expiryDate"]);
  });
});

describe("an identity with several faults names all that can be judged", () => {
  const wrongDates = { issueDate: "2031-01-01", expiryDate: "2020-01-01" };
  const DATES = ["issueDate", "expiryDate", "expiryDate"];
  const national = { identityTypeCode: "NATIOANL_ID", issuingCountry: "NGA", identityValue: "1" };

  test.each<[string, Identity, string[]]>([
    [
      "a type that is not accepted, dates",
      { ...passport, identityTypeCode: "IDENTITY_CARD", ...wrongDates },
      ["identityTypeCode", ...DATES],
    ],
    [
      "a misspelt type, dates",
      { ...passport, identityTypeCode: "NATIONAL_ID", ...wrongDates },
      ["identityTypeCode", ...DATES],
    ],
    ["no type, dates", { ...passport, identityTypeCode: undefined, ...wrongDates }, DATES],
    [
      "an issuer, a number, dates",
      { ...national, issuingCountry: "GHA", ...wrongDates },
      ["issuingCountry", "identityValue", ...DATES],
    ],
    ["no issuer, a number", { ...national, issuingCountry: undefined }, ["identityValue"]],
    ["no issuer, the number of a passport", { ...passport, issuingCountry: "XXX", identityValue: "1" }, []],
  ])("%s", (_name, identity, expected) => {
    expect(fieldsOf("NGA", identity)).toEqual(expected);
  });

  test("dates when the country of residence is not known", () => {
    const context = { ...contextOf("NGA"), residence: undefined };
    const found = identityViolations({ ...passport, ...wrongDates }, "i", context);
    expect(found.map(({ field }) => field.slice(2))).toEqual(DATES);
  });

  test("only passports of the own country: the number follows that country, even if another issued it", () => {
    const context = contextOf("NGA", withRules({ issuingCountryRule: "ResidenceOnly" }));
    const french = { ...passport, issuingCountry: "FRA" };
    expect(identityViolations(french, "i", context)).toMatchObject([{ field: "i.issuingCountry" }]);
  });
});

test.each<[string, Identity, string[]]>([
  [
    "another issuer",
    { identityTypeCode: "BVN", identityValue: "22123456789", issuingCountry: "GHA" },
    ["IssuerNotAccepted"],
  ],
  ["another type", { identityTypeCode: "IDENTITY_CARD" }, ["TypeNotAccepted"]],
  ["no date", { expiryDate: null }, ["DateMissing"]],
  ["a masked number", { identityValue: "*****4567" }, ["Masked"]],
  ["no number of that country", { identityValue: "1" }, ["Format"]],
  ["an empty number, which the shape check names", { identityValue: "" }, []],
  ["no text, which the shape check names", { identityValue: 7 }, []],
  ["not yet issued", { issueDate: "2031-01-01" }, ["IssuedInFuture"]],
  ["expired", { expiryDate: "2029-01-01" }, ["Expired"]],
  ["dates turned", { issueDate: "2030-06-10", expiryDate: "2030-06-09" }, ["Expired", "DatesTurned"]],
  ["what is no day, which the shape check names", { issueDate: "soon", expiryDate: "0" }, []],
])("the rule of a violation: %s", (_name, change, rules) => {
  const found = identityViolations({ ...passport, ...change }, "i", contextOf("NGA"));
  expect(found.map(({ rule }) => rule)).toEqual(rules.map((rule) => `Identity.${rule}`));
});

test("a date of issue that is asked for and absent, a check digit that refuses", () => {
  const context = contextOf("ESP", withRules({ requiresIssueDate: true }));
  const card = { identityTypeCode: "IDENTITY_CARD", issuingCountry: "ESP", identityValue: "12345678A" };
  const found = identityViolations({ ...card, expiryDate: "2035-01-01" }, "i", context);
  expect(found.map(({ rule }) => rule)).toEqual(["Identity.CheckDigit", "Identity.DateMissing"]);
});

test.each([
  ["NGA", "Nigeria"],
  ["FRA", "France"],
  ["JPN", "Japan"],
])("a passport of %s that does not fit: its issuer is named", (issuingCountry, name) => {
  const [found] = identityViolations(
    { ...passport, issuingCountry, identityValue: "1" },
    "i",
    contextOf("NGA"),
  );
  expect(found?.message).toContain(`in ${name} (Passport)`);
});

test("a configuration of the seed: who made it and when, its own names, a file for other documents", () => {
  const rows = [
    { identityTypeCode: "NATIOANL_ID", pattern: "^\\d{11}$", label: "NIN" },
    { identityTypeCode: "OTHERS", pattern: "^[A-Z]{3,9}$", requiresDocument: true },
  ] as const;
  expect(configOfSeed("NGA", rows, AT)).toMatchObject({
    ...{ countryCode: "NGA", version: 1, active: true, validFrom: AT, validTo: null },
    ...{ changedBy: "seed", changedAt: AT, reason: "first configuration" },
    documents: [
      { label: "NIN", requiresDocument: false },
      { label: "Other document", requiresDocument: true },
    ],
  });
});

test("formatOf: an example only where the rule takes it", () => {
  const rule = documentRule({ identityTypeCode: "BVN", pattern: String.raw`^\d{11}$` });
  expect(formatOf(rule)).toMatch(/^11 digits, e\.g\. \d{11}$/);
  expect(formatOf({ ...rule, pattern: "^[A-Z]{3}$", check: "pesel" })).toBe("3 letters");
});

describe("the requirement list", () => {
  test("the requirement of Nigeria shows the pattern of the check", () => {
    const { items, ...head } = requirementsOf(contextOf("NGA").residence.config);
    expect(head).toEqual({
      countryCode: "NGA",
      countryName: "Nigeria",
      configVersion: 1,
      minimumIdentities: 1,
    });
    expect(items.map(({ identityTypeCode }) => identityTypeCode)).toEqual([
      "PASSPORT",
      "NATIOANL_ID",
      "DRIVING_LICENCE",
      "VOTER_CARD",
      "RESIDENCE_CARD",
      "BVN",
      "OTHERS",
    ]);
    expect(items[0]).toEqual({
      identityType: "Passport",
      identityTypeCode: "PASSPORT",
      fieldName: "identityValue",
      inputType: "Input",
      isRequired: false,
      label: "Passport: number",
      placeholder: expect.any(String),
      requiresIssueDate: false,
      requiresExpiryDate: true,
      requiresIdNumber: true,
      requiresDocument: false,
      issuingCountryRule: "Any",
      validationRules: {
        regex: String.raw`^[A-Z]\d{8}$`,
        minLength: 9,
        maxLength: 9,
        errorMessage: expect.stringContaining("Nigeria"),
      },
      displayOrder: 1,
    });
  });

  test("there are 41 countries, and every one accepts OTHERS and a passport", () => {
    expect(configs).toHaveLength(41);
    for (const { documents } of configs) {
      const types = documents.map(({ identityTypeCode }) => identityTypeCode);
      expect(types).toEqual(expect.arrayContaining(["PASSPORT", "OTHERS"]));
      expect(new Set(types).size).toBe(types.length);
    }
  });

  test.each([
    ["2029-12-31T23:59:59.999Z", undefined],
    ["2030-01-01T00:00:00.000Z", 1],
    ["2031-01-01T00:00:00.000Z", undefined],
    ["2032-01-01T00:00:00.000Z", 2],
  ])("at %s the version in force is %p", (at, version) => {
    const config = configs.find(({ countryCode }) => countryCode === "NGA");
    if (!config) throw new Error("no configuration");
    const versions = [
      { ...config, validFrom: "2030-01-01T00:00:00.000Z", validTo: "2031-01-01T00:00:00.000Z" },
      { ...config, version: 2, validFrom: "2032-01-01T00:00:00.000Z" },
    ];
    const { inForce } = countryDirectory(versions, () => Date.parse(at));
    expect(inForce("NGA")?.config.version).toBe(version);
  });
});
