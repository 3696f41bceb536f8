import { describe, expect, test } from "@jest/globals";
import { businessViolations } from "../../../services/profile/input/business.rules.ts";
import { createSchema } from "../../../services/profile/input/profile.schemas.ts";
import { anAddress, aPerson, aSmallProfile, type Body } from "../../support/builders/profile-builders.ts";
import { seedCountries } from "../../support/builders/stored-profile.ts";

const context = { countries: seedCountries(), today: "2026-06-15" };
const CONTROL = "ValidationControl.Error";
const faults = (changes: Body) =>
  businessViolations(aSmallProfile(changes), createSchema, "Shape", context).map(
    ({ field, code }) => `${field}: ${code}`,
  );

test("an unknown type: the rule and the known types are named", () => {
  expect(
    businessViolations(aSmallProfile({ businessTypeCode: "Unheard" }), createSchema, "Shape", context),
  ).toMatchObject([
    { rule: "BusinessType.Unknown", message: expect.stringContaining("is not a business type; use ") },
  ]);
});

describe("businessViolations", () => {
  test.each<[string, Body, string[]]>([
    ["a plain business", {}, []],
    ["a website that is no URL", { website: "https://[x" }, ["website: Shape"]],
    ["a website of the wrong form: left to the shape", { website: "nonsense" }, []],
    ["a website of 255 characters", { website: `https://[${"x".repeat(246)}` }, ["website: Shape"]],
    ["one of 256, too long: left to the shape", { website: `https://[${"x".repeat(247)}` }, []],
    ["a website that is no text", { website: 7 }, []],
    ["a type with an underscore: left to the shape", { businessTypeCode: "UN_HEARD" }, []],
    ["an empty type: left to the shape", { businessTypeCode: "" }, []],
    [
      "the other name of the country",
      { incorporationCountryCode: "ZZZ" },
      ["incorporationCountryCode: Country.NotFound"],
    ],
    [
      "addresses, the second nowhere, others of a wrong shape",
      { addresses: [anAddress(), anAddress({ countryCode: "ZZZ" }), null, "x"] },
      ["addresses[1].countryCode: Country.NotFound"],
    ],
    ["addresses that are no list", { addresses: { 0: anAddress({ countryCode: "ZZZ" }) } }, []],
  ])("%s", (_name, changes, expected) => expect(faults(changes)).toEqual(expected));
});

describe("a text that cannot be stored", () => {
  test.each<[string, Body, string[]]>([
    ["with a NUL", { companyName: "a\0b" }, ["companyName: Shape"]],
    ["with half a character", { description: "a\ud800" }, ["description: Shape"]],
    [
      "in an address",
      { addresses: [anAddress(), anAddress({ city: "\0" })] },
      [`addresses[1].city: ${CONTROL}`],
    ],
    ["in the financials", { financials: { sourceOfFunds: "\0" } }, [`financials.sourceOfFunds: ${CONTROL}`]],
    [
      "in an identity of a person",
      { businessPersonList: [aPerson({ identities: [{ identityValue: "\0" }] })] },
      [`businessPersonList[0].identities[0].identityValue: ${CONTROL}`],
    ],
    [
      "in a list of texts",
      { businessPersonList: [aPerson({ ownershipType: ["UBO", "\udc00"] })] },
      [`businessPersonList[0].ownershipType[1]: ${CONTROL}`],
    ],
    ["in the reference, which has codes of its own", { partnerCustomerId: "\0" }, []],
    ["in a field that is not ours", { other: "\0", addresses: [anAddress({ other: "\0" })] }, []],
    ["where a text does not belong", { addresses: { city: "\0" }, website: ["\0"] }, []],
    ["in two places", { tradingName: "\0", description: "\0" }, ["tradingName: Shape", "description: Shape"]],
  ])("%s", (_name, changes, expected) => expect(faults(changes)).toEqual(expected));

  test("in the only field: is found as well", () => {
    const found = businessViolations({ tradingName: "\0" }, createSchema, "Shape", context);
    expect(found.map(({ field }) => field)).toEqual(["tradingName"]);
  });

  test("the message does not repeat it", () => {
    const found = businessViolations(aSmallProfile({ tradingName: "x\0" }), createSchema, "Shape", context);
    expect(found).toEqual([
      { field: "tradingName", code: "Shape", message: "holds a NUL or an incomplete Unicode character" },
    ]);
  });
});
