/** The bodies of create, PUT and PATCH, judged by the rules alone with the country configuration of a new system. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { patchSchema } from "../../../services/profile/input/profile.schemas.ts";
import {
  type Judged,
  judgeCreate,
  judgePatch,
  judgeReplace,
} from "../../../services/profile/input/profile-input.rules.ts";
import { refuse, refuseUpdate } from "../../../services/profile/input/violations.rules.ts";
import { profileView } from "../../../services/profile/read/profile.view.ts";
import { dayOf } from "../../../services/profile/record/text.rules.ts";
import { BUSINESS_FIELDS } from "../../../shared/contract/answers/customer.ts";
import { type Case, withValue } from "../../support/builders/conformance-cases.ts";
import {
  baseBody,
  CREATE_CASES,
  nameOf,
  pathOf,
  REPLACE_CASES,
} from "../../support/builders/conformance-tables.ts";
import { aRandomProfile, spoiled } from "../../support/builders/profile-arbitraries.ts";
import {
  aNationalId,
  anAddress,
  aPerson,
  aProfile,
  aReplacement,
  aSmallProfile,
  type Body,
  financials,
} from "../../support/builders/profile-builders.ts";
import {
  anIdentity,
  aPersonInput,
  aStoredPerson,
  aStoredProfile,
  seedCountries,
} from "../../support/builders/stored-profile.ts";

const context = { countries: seedCountries(), today: dayOf(Date.now()) };
const ADA = "0190b5c8-7f3a-7c2e-9d4b-00000000000a";
const stored = aStoredProfile({
  people: [
    aStoredPerson(ADA, { email: "ada@harbourfoods.example" }),
    aStoredPerson("gone", { email: "gone@harbourfoods.example", removedAt: "2026-02-01T00:00:00.000Z" }),
  ],
});

const create = (body: unknown) => judgeCreate(body, context);
const replace = (body: unknown) => judgeReplace(body, stored, context, () => aPersonInput());
const patch = (body: unknown) => judgePatch(body, stored, context);
const faultsOf = ({ violations }: Judged<unknown>) =>
  violations.map(({ field, code }) => `${field}: ${code}`);
const control = (field: string) => `${field}: ValidationControl.Error`;
const ANOTHER_REFERENCE = "partnerCustomerId: Customer.PartnerCustomerIdInvalid";

function expectJudged(judged: Judged<unknown>, expected: Case["expected"], refusal: typeof refuse): void {
  if (expected === "accepted") {
    expect(judged).toMatchObject({ violations: [], input: expect.anything() });
    return;
  }
  expect(judged.input).toBeNull();
  const error = refusal(judged.violations);
  expect({ code: error.type, details: error.data.details }).toEqual({
    code: expected.code,
    details: expect.arrayContaining([expect.objectContaining({ ...expected })]),
  });
}

describe("every field of the contract", () => {
  test.each(CREATE_CASES.map((one) => [nameOf(one), one] as const))("%s", (_name, one) => {
    expectJudged(create(withValue(baseBody(), pathOf(one), one.value)), one.expected, refuse);
  });

  test.each(REPLACE_CASES.map((one) => [nameOf(one), one] as const))("%s", (_name, one) => {
    expectJudged(
      replace(withValue(aReplacement(stored._id), one.field, one.value)),
      one.expected,
      refuseUpdate,
    );
  });
});

test.each([[null], [[]], ["text"], [7]])("the body %j: must be an object", (body) => {
  const refused = {
    violations: [{ field: "", code: "Validation", message: "must be a JSON object" }],
    input: null,
  };
  for (const judge of [create, replace, patch]) expect(judge(body)).toMatchObject(refused);
  for (const judge of [create, replace]) expect(judge(undefined)).toMatchObject(refused);
});

describe("judgeCreate", () => {
  test("the least body: what was left out is null or empty", () => {
    expect(create(aSmallProfile({ partnerCustomerId: "ref", businessTypeCode: "llc" })).input).toEqual({
      partnerCustomerId: "ref",
      business: {
        email: "office@harbourfoods.example",
        phoneNumber: null,
        companyName: "Harbour Foods Limited",
        tradingName: null,
        businessTypeCode: "LLC",
        incorporationCountryIso3Code: "NGA",
        industry: "TradingIncome",
        description: null,
        website: "https://harbourfoods.example/about",
        registrationNumber: "RC1234567",
        registrationDate: null,
      },
      addresses: [],
      financials: null,
      people: [],
    });
  });

  test("every field: is taken over, and what is unknown is dropped", () => {
    const body = aProfile({
      customerId: "mine",
      addresses: [anAddress({ kind: "Head office" })],
      financials: { ...financials(), currency: "NGN" },
      businessPersonList: [],
    });
    const { tradingName, description, registrationDate } = body;
    const { input } = create(body);
    expect(input).toMatchObject({ business: { tradingName, description, registrationDate }, people: [] });
    expect(input?.addresses).toEqual([anAddress()]);
    expect(input?.financials).toEqual(financials());
    expect(Object.keys(input?.business ?? {})).not.toContain("customerId");
  });

  test("several faults: all are named together", () => {
    const body = aSmallProfile({ email: "x", phoneNumber: "1", incorporationCountryIso3Code: "ZZZ" });
    expect(faultsOf(create(body)).toSorted()).toEqual([
      "email: Validation",
      "incorporationCountryIso3Code: Country.NotFound",
      "phoneNumber: PhoneNumber.Invalid",
    ]);
  });

  test("any body with something else in one place: is read or refused with a path, never both, never an error", () => {
    fc.assert(
      fc.property(spoiled(aRandomProfile), (body) => {
        const { violations, input } = create(body);
        expect(input === null).toBe(violations.length > 0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("judgeReplace", () => {
  test("lists that are left out stay undefined: they are not changed", () => {
    const { input } = replace(
      aReplacement(stored._id, { tradingName: "New", phoneNumber: "+2348098765433" }),
    );
    const business = Object.fromEntries(BUSINESS_FIELDS.map((field) => [field, stored[field]]));
    expect(input).toEqual({ business: { ...business, tradingName: "New", phoneNumber: "+2348098765433" } });
  });

  test("lists that are given are part of the input, empty ones too", () => {
    const { input } = replace(
      aReplacement(stored._id, { addresses: [], financials: financials(), businessPersonList: [] }),
    );
    expect(input).toMatchObject({
      addresses: [],
      financials: { monthlyTurnOver: "UpTo100k" },
      people: [],
    });
  });

  test("the id in the path in capitals and the stored reference: accepted", () => {
    const body = aReplacement(stored._id.toUpperCase(), { partnerCustomerId: "cust-1" });
    expect(faultsOf(replace(body))).toEqual([]);
  });

  test.each<[string, Body, string[]]>([
    ["another reference", { partnerCustomerId: "cust-2" }, [ANOTHER_REFERENCE]],
    [
      "a person who is not there",
      { businessPersonList: [aPerson({ uboId: "nobody" })] },
      ["businessPersonList[0].uboId: Ubo.NotFound"],
    ],
  ])("%s: refused", (_name, changes, faults) => {
    expect(faultsOf(replace(aReplacement(stored._id, changes)))).toEqual(faults);
  });
});

describe("a body that is made of what a read shows", () => {
  const ada = { email: "ada@harbourfoods.example", identities: [anIdentity()] };
  const customer = aStoredProfile({ people: [aStoredPerson(ADA, ada)] });
  const opened = aPersonInput({
    uboId: ADA,
    email: ada.email,
    identities: [
      { ...aNationalId(), documentUploadId: null, issueDate: null, expiryDate: null, remarks: [] },
    ],
  } as never);
  const read = profileView(customer);
  const aRead = {
    ...read,
    documents: [{ documentId: ADA, status: "Confirmed" }],
    financials: financials(),
    addresses: [anAddress()],
  };
  const namesOf = ({ warnings }: Judged<unknown>) => warnings.map(({ field, code }) => `${field}: ${code}`);
  const unknownIn = (judged: Judged<unknown>) => namesOf(judged).filter((name) => name.includes("Unknown"));
  const withoutPeople = ({ businessPersonList: _, ...rest }: typeof aRead) => rest;

  test("the read has a person with an identity, and every compared property has a value", () => {
    expect(read.businessPersonList).toMatchObject([{ uboId: ADA, identities: [{ documentStatus: null }] }]);
  });

  test("create: no property is unknown; a masked number is refused", () => {
    const judged = create({ ...aRead, registrationNumber: "RC1" });
    expect(judged.violations.map(({ message }) => message)).toEqual(
      judged.violations.map(() => expect.stringContaining("masked")),
    );
    expect(judged.violations).not.toEqual([]);
    expect(create({ ...withoutPeople(aRead), registrationNumber: "RC1" })).toMatchObject({
      violations: [],
      warnings: [{ code: "People.Missing" }],
    });
  });

  test("PUT: no property is unknown, and a masked number is the stored one", () => {
    const { businessPersonList } = aRead;
    const body = { ...aRead, ...aReplacement(customer._id), businessPersonList };
    const judged = judgeReplace(body, customer, context, () => opened);
    expect([judged.violations, unknownIn(judged)]).toEqual([[], []]);
    const [person] = judged.input?.people ?? [];
    expect(person?.identities).toMatchObject([{ identityValue: opened.identities[0]?.identityValue }]);
  });

  test("PATCH: no property is unknown", () => {
    const judged = patch(withoutPeople(aRead));
    expect([judged.violations, unknownIn(judged)]).toEqual([[], []]);
  });

  test.each([
    ["create", () => create({ ...withoutPeople(aRead), registrationNumber: "RC1", verificationstatus: "x" })],
    ["PUT", () => replace({ ...aReplacement(stored._id), reviewstage: "x" })],
    ["PATCH", () => patch({ updatedat: "x" })],
  ])("%s: another property is unknown all the same", (_name, judge) => {
    expect(unknownIn(judge())).toHaveLength(1);
  });
});

describe("judgePatch", () => {
  const untouched = { business: {}, newPeople: [], documentIds: [] };
  const GHANA = { business: { incorporationCountryIso3Code: "GHA" } };
  const LONG = "1".repeat(100);

  test.each([[undefined], [{}]])("the body %j: changes nothing", (body) => {
    expect(patch(body)).toEqual({ violations: [], warnings: [], input: untouched });
  });

  test.each<[string, Body, Body]>([
    ["a text", { companyName: "Two" }, { business: { companyName: "Two" } }],
    ["a cleared text", { tradingName: null }, { business: { tradingName: null } }],
    ["an empty text", { description: "" }, { business: { description: "" } }],
    ["the country by one name", { incorporationCountryCode: "GHA" }, GHANA],
    ["the country by the other", { incorporationCountryIso3Code: "GHA" }, GHANA],
    [
      "the country by both, the same",
      { incorporationCountryCode: "GHA", incorporationCountryIso3Code: "GHA" },
      GHANA,
    ],
    ["no addresses", { addresses: [] }, { addresses: [] }],
    ["a type in another case", { businessTypeCode: "TRUST" }, { business: { businessTypeCode: "Trust" } }],
    ["documents in capitals", { businessDocumentIdList: ["ABC", "d2"] }, { documentIds: ["abc", "d2"] }],
    ["the stored reference", { partnerCustomerId: "cust-1" }, {}],
    ["a number of 100 characters", { registrationNumber: LONG }, { business: { registrationNumber: LONG } }],
  ])("%s", (_name, body, change) => {
    expect(patch(body)).toMatchObject({ violations: [], input: { ...untouched, ...change } });
  });

  test("addresses, financials and people: are taken over", () => {
    const { input } = patch({
      addresses: [anAddress()],
      financials: financials(),
      businessPersonList: [aPerson({ email: "new@harbourfoods.example" })],
    });
    expect(input).toMatchObject({
      addresses: [{ city: "Lagos" }],
      financials: { sourceOfFunds: "CustomerRevenue" },
      newPeople: [{ email: "new@harbourfoods.example", uboId: null }],
    });
  });

  const CLEARED = ["phoneNumber", "tradingName", "description", "registrationDate"];
  const KEPT = [
    "email",
    "companyName",
    "businessTypeCode",
    "incorporationCountryCode",
    "incorporationCountryIso3Code",
    "industry",
    "website",
    "registrationNumber",
    "addresses",
    "financials",
    "businessPersonList",
    "businessDocumentIdList",
    "partnerCustomerId",
  ];

  test("the two tables of null name every field of the body", () => {
    expect([...CLEARED, ...KEPT].toSorted()).toEqual(Object.keys(patchSchema).toSorted());
  });

  test.each(CLEARED)("%s null: is cleared", (field) => {
    expect(patch({ [field]: null })).toMatchObject({
      violations: [],
      input: { business: { [field]: null } },
    });
  });

  test.each(KEPT)("%s null: is refused by name", (field) => {
    const code = field === "partnerCustomerId" ? "Customer.PartnerCustomerIdInvalid" : "Validation";
    expect(patch({ [field]: null })).toMatchObject({
      violations: [{ field, code, message: "cannot be null" }],
      input: null,
    });
  });

  test.each<[string, Body, string[]]>([
    [
      "two countries",
      { incorporationCountryCode: "GHA", incorporationCountryIso3Code: "NGA" },
      [control("incorporationCountryCode")],
    ],
    ["a malformed country", { incorporationCountryCode: "gha" }, [control("incorporationCountryCode")]],
    [
      "an unknown country",
      { incorporationCountryCode: "ZZZ" },
      ["incorporationCountryCode: Country.NotFound"],
    ],
    ["a type with an underscore", { businessTypeCode: "A_B" }, [control("businessTypeCode")]],
    ["an unknown type", { businessTypeCode: "AB" }, ["businessTypeCode: BusinessType.NotFound"]],
    ["a malformed phone", { phoneNumber: "0" }, ["phoneNumber: PhoneNumber.Invalid"]],
    ["another reference", { partnerCustomerId: "x" }, [ANOTHER_REFERENCE]],
    ["a reference that is no text", { partnerCustomerId: 7 }, [ANOTHER_REFERENCE]],
    [
      "a person who is there already",
      { businessPersonList: [aPerson({ email: "ADA@harbourfoods.example" })] },
      [control("businessPersonList[0].email")],
    ],
    [
      "a phone of a person",
      { businessPersonList: [aPerson({ phone: "0" })] },
      ["businessPersonList[0].phone: PhoneNumber.Invalid"],
    ],
    ["a document that is no text", { businessDocumentIdList: [7] }, [control("businessDocumentIdList[0]")]],
    ["a text too long", { companyName: "x".repeat(256) }, ["companyName: Validation"]],
  ])("%s: refused", (_name, body, faults) => {
    expect(faultsOf(patch(body))).toEqual(faults);
    expect(patch(body).input).toBeNull();
  });

  test("a person who was removed may come back", () => {
    const person = aPerson({ email: "gone@harbourfoods.example", identities: [aNationalId()] });
    expect(faultsOf(patch({ businessPersonList: [person] }))).toEqual([]);
  });
});
