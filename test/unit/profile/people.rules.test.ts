import { describe, expect, test } from "@jest/globals";
import { EMPTY_DIRECTORY } from "../../../services/profile/country/country-directory.rules.ts";
import {
  countryViolation,
  dayViolation,
  peopleViolations,
  toPerson,
} from "../../../services/profile/input/people.rules.ts";
import { aNationalId, anAddress, aPassport, aPerson } from "../../support/builders/profile-builders.ts";
import { seedCountries } from "../../support/builders/stored-profile.ts";

const CONTROL = "ValidationControl.Error";
const TODAY = "2030-06-15";
const context = { countries: seedCountries(() => Date.parse(`${TODAY}T12:00:00Z`)), today: TODAY };
const faults = (people: unknown[]) =>
  peopleViolations(people, context).map(
    ({ field, code }) => `${field.replace("businessPersonList", "")}: ${code}`,
  );
const person = (changes: Record<string, unknown> = {}) =>
  aPerson({ identities: [aNationalId()], percentageShare: 20, ...changes });

// Every field and its values: profile-input.rules, with the cases of the contract.
describe("peopleViolations", () => {
  test.each<[string, unknown[], string[]]>([
    ["no person", [], []],
    ["a person", [person()], []],
    ["entries of a wrong shape are left to the check of the shape", [null, 7, "x", [person()]], []],
    [
      "born on no day ahead: named once",
      [person({ birthDate: "2031-02-30" })],
      [`[0].birthDate: ${CONTROL}`],
    ],
    [
      "without an address: the rest is judged",
      [person({ address: null, identities: [aNationalId({ issuingCountry: "ZZZ" })] })],
      ["[0].identities[0].issuingCountry: Country.NotFound"],
    ],
    ["identities that are no list", [person({ identities: "x" })], []],
    [
      "an identity that is none",
      [person({ identities: [null, aNationalId({ identityValue: "1" })] })],
      [`[0].identities[1].identityValue: ${CONTROL}`],
    ],
    [
      "one email three times, in any case",
      ["a@x", "A@x", "b@x", "a@X"].map((email) => person({ email })),
      [`[1].email: ${CONTROL}`, `[3].email: ${CONTROL}`],
    ],
    ["two without an email", [person({ email: undefined }), person({ email: undefined })], []],
    ["shares of 100 together", [person({ percentageShare: 60 }), person({ percentageShare: 40 })], []],
    ["shares that are no numbers", [person({ percentageShare: "99" }), person({ percentageShare: 100 })], []],
  ])("%s", (_name, people, expected) => expect(faults(people)).toEqual(expected));

  test("the message of the shares gives their sum", () => {
    const people = [person({ percentageShare: 60 }), person({ percentageShare: 41 })];
    expect(peopleViolations(people, context)).toEqual([
      {
        field: "businessPersonList",
        code: CONTROL,
        message: "the percentageShare of all people together is 101, above 100",
      },
    ]);
  });
});

test.each<[unknown, number]>([
  ["NGA", 0],
  ["ZZZ", 1],
  ["zzz", 0],
  ["ZZ", 0],
  [7, 0],
  [null, 0],
])("countryViolation of %j: %i, the rest is a fault of the shape", (value, count) => {
  expect(countryViolation(value, "f")).toEqual(
    Array(count).fill({ field: "f", code: "Country.NotFound", message: "is not a country of ISO 3166-1" }),
  );
});

test.each<[unknown, number]>([
  ["2024-02-29", 0],
  ["2023-02-29", 1],
  ["2023-2-29", 0],
  [7, 0],
])("dayViolation of %j: %i, under the code asked for", (value, count) => {
  const found = (code: string) =>
    Array(count).fill({ field: "f", code, message: "is not a day of the calendar" });
  expect(dayViolation(value, "f")).toEqual(found(CONTROL));
  expect(dayViolation(value, "f", "Validation")).toEqual(found("Validation"));
});

describe("toPerson", () => {
  test("the least person: what was left out is null", () => {
    const least = {
      firstName: "Amina",
      lastName: "Okafor",
      nationality: "NGA",
      email: "amina@x.example",
      ownershipType: ["UBO"],
      address: anAddress({ streetLine2: undefined }),
      identities: [aNationalId()],
    };
    expect(toPerson(least, context)).toEqual({
      uboId: null,
      firstName: "Amina",
      middleName: null,
      lastName: "Okafor",
      birthDate: null,
      nationality: "NGA",
      taxResidenceCountry: null,
      placeOfBirthCountry: null,
      email: "amina@x.example",
      phone: null,
      jobTitle: null,
      ownershipType: ["UBO"],
      percentageShare: null,
      isPoliticallyExposed: null,
      isAuthorizedSignatory: null,
      taxIdentificationNumber: null,
      address: {
        streetLine1: "12 Marina Road",
        streetLine2: null,
        city: "Lagos",
        state: "Lagos",
        postalCode: "101241",
        countryCode: "NGA",
      },
      identities: [
        {
          identityTypeCode: "NATIOANL_ID",
          issuingCountry: "NGA",
          identityValue: "12345678901",
          documentUploadId: null,
          issueDate: null,
          expiryDate: null,
          remarks: [],
        },
      ],
    });
  });

  test("ids become lower case, and the unknown is dropped", () => {
    const identities = [aPassport({ documentUploadId: "DEF", other: 1 })];
    const read = toPerson(person({ uboId: "ABC", identities, other: 1 }), context);
    expect([read.uboId, read.identities[0]?.documentUploadId]).toEqual(["abc", "def"]);
    expect([Object.keys(read), Object.keys(read.identities[0] ?? {})].flat()).not.toContain("other");
  });

  test("a check digit that does not fit is a remark; without rules of the country there is none", () => {
    const southAfrican = person({
      address: anAddress({ countryCode: "ZAF" }),
      identities: [aNationalId({ issuingCountry: "ZAF", identityValue: "8001015009088" })],
    });
    const remarks = (directory: typeof context.countries) =>
      toPerson(southAfrican, { ...context, countries: directory }).identities[0]?.remarks;
    expect(remarks(context.countries)).toEqual(["Identity.CheckDigit"]);
    expect(remarks(EMPTY_DIRECTORY)).toEqual([]);
  });

  test("an uboId that is no text is passed over", () => {
    expect(toPerson(person({ uboId: 7 }), context).uboId).toBeNull();
  });
});
