/** Fields of a stored person that PUT, or a correction of one person, need not repeat. */
import { describe, expect, jest, test } from "@jest/globals";
import { judgePerson } from "../../../services/profile/input/person-input.rules.ts";
import { personPatchSchema } from "../../../services/profile/input/profile.schemas.ts";
import { judgeCreate, judgeReplace } from "../../../services/profile/input/profile-input.rules.ts";
import { profileView } from "../../../services/profile/read/profile.view.ts";
import type { Person } from "../../../services/profile/record/profile.types.ts";
import { dayOf } from "../../../services/profile/record/text.rules.ts";
import type { Violation } from "../../../shared/errors.ts";
import {
  aNationalId,
  anAddress,
  aPassport,
  aPerson,
  aProfile,
  aReplacement,
  type Body,
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
const BEN = "0190b5c8-7f3a-7c2e-9d4b-00000000000b";

/** Its passport has expired since it was sent. */
const expired = {
  identityTypeCode: "PASSPORT" as const,
  issuingCountry: "NGA",
  identityValue: "A01234567",
  documentUploadId: null,
  issueDate: null,
  expiryDate: "2020-01-01",
  remarks: ["Identity.CheckDigit"],
};
const national = { ...expired, identityTypeCode: "NATIOANL_ID" as const, identityValue: "12345678901" };
const ada = aPersonInput({
  uboId: ADA,
  email: "ada@harbourfoods.example",
  taxIdentificationNumber: "TIN-009871234",
  identities: [expired, { ...national, expiryDate: null }],
});
const profile = aStoredProfile({
  people: [
    aStoredPerson(ADA, { email: "ada@harbourfoods.example" }),
    aStoredPerson(BEN, { email: "ben@harbourfoods.example" }),
  ],
});
const open = (person: Person) => ({ ...ada, uboId: person.uboId, email: person.email });

const put = (...people: Body[]) =>
  judgeReplace(aReplacement(profile._id, { businessPersonList: people }), profile, context, open);
const person = (body: unknown, more: object = {}) => judgePerson(body, profile, ada, { ...context, ...more });
const namesOf = (found: readonly Violation[]) =>
  found.map(({ field, rule, code }) => `${field}: ${rule ?? code}`);

const unsaid = (changes: Body = {}) => aPerson({ identities: undefined, ...changes });

describe("PUT", () => {
  test.each([
    ["by uboId", { uboId: ADA.toUpperCase() }],
    ["by email", { email: "ADA@harbourfoods.example" }],
    ["with null", { uboId: ADA, identities: null }],
  ])(
    "a known person without identities, %s: they stay as they are, whatever became of them",
    (_, changes) => {
      const { violations, input } = put(unsaid(changes));
      expect(violations).toEqual([]);
      expect(input?.people?.[0]?.identities).toEqual(ada.identities);
    },
  );

  test("a new person without identities, also with the email of a person who is named by id: identities are required", () => {
    expect(namesOf(put(unsaid()).violations)).toEqual([
      "businessPersonList[0].identities: ValidationControl.Error",
    ]);
    const both = put(
      unsaid({ uboId: ADA, email: "new@harbourfoods.example" }),
      unsaid({ email: "ada@harbourfoods.example" }),
    );
    expect(namesOf(both.violations)).toEqual(["businessPersonList[1].identities: ValidationControl.Error"]);
  });

  test("masked numbers that the person was given: the numbers; the rest is judged as sent", () => {
    const identities = [aNationalId({ identityValue: "****8901" }), aPassport({ identityValue: "****4567" })];
    const { violations, input } = put(
      aPerson({ uboId: ADA, identities, taxIdentificationNumber: "****1234" }),
    );
    expect(violations).toEqual([]);
    const [first] = input?.people ?? [];
    expect(first?.identities.map(({ identityValue }) => identityValue)).toEqual(["12345678901", "A01234567"]);
    expect(first?.taxIdentificationNumber).toBe("TIN-009871234");
  });

  test("a masked number among whole numbers is filled in", () => {
    const identities = [aNationalId({ identityValue: "****8901" }), aPassport()];
    const [first] = put(aPerson({ uboId: ADA, identities })).input?.people ?? [];
    expect(first?.identities[0]?.identityValue).toBe("12345678901");
  });

  test("numbers are opened of those who leave something unsaid, each matched once", () => {
    const opened = (...people: Body[]) => {
      const spy = jest.fn(open);
      judgeReplace(aReplacement(profile._id, { businessPersonList: people }), profile, context, spy);
      return spy.mock.calls.map(([{ uboId }]) => uboId);
    };
    expect(opened(aPerson({ uboId: ADA }), { uboId: BEN, identities: "none" })).toEqual([]);
    expect(opened(unsaid({ uboId: ADA, email: "ben@harbourfoods.example" }))).toEqual([ADA]);
  });

  test("a mask of something else: is named as such", () => {
    const identities = [aNationalId({ identityValue: "****0000" }), aPassport({ identityValue: "****8901" })];
    expect(
      namesOf(put(aPerson({ uboId: ADA, identities, taxIdentificationNumber: "****" })).violations),
    ).toEqual([
      "businessPersonList[0].taxIdentificationNumber: Person.TaxNumberMasked",
      "businessPersonList[0].identities[0].identityValue: Identity.Masked",
      "businessPersonList[0].identities[1].identityValue: Identity.Masked",
    ]);
  });

  test("a body of a wrong shape: is left to the shape check", () => {
    const odd = aReplacement(profile._id, {
      businessPersonList: [
        null,
        "ada",
        { uboId: ADA, identities: "none", taxIdentificationNumber: "****1234" },
        { uboId: BEN, address: "none" },
        { email: 7, identities: [null, aNationalId({ identityValue: "****8901" })] },
      ],
    });
    const { violations } = judgeReplace(odd, profile, context, open);
    expect(violations.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        "businessPersonList[0]",
        "businessPersonList[1]",
        "businessPersonList[2].identities",
      ]),
    );
    const strange = put({ uboId: ADA, identities: [null, aNationalId({ identityValue: "****8901" })] });
    expect(strange.violations.length).toBeGreaterThan(0);
    expect(judgeReplace(aReplacement(profile._id), profile, context, open).violations).toEqual([]);
  });

  test("another residence: the identities that stay are judged by its rules", () => {
    const moved = put(unsaid({ uboId: ADA, address: anAddress({ countryCode: "GBR" }) }));
    expect(namesOf(moved.violations)).toContain(
      "businessPersonList[0].identities[1].identityTypeCode: Identity.TypeNotAccepted",
    );
  });
});

test("create: a masked value is named as such", () => {
  const people = [aPerson({ identities: [aNationalId({ identityValue: "****8901" })] })];
  const { violations } = judgeCreate(aProfile({ businessPersonList: people }), context);
  expect(namesOf(violations)).toEqual(["businessPersonList[0].identities[0].identityValue: Identity.Masked"]);
  expect(violations[0]?.message).toContain("masked");
});

describe("a correction of one person", () => {
  test("a surname: everything else stays, and what expired is not judged again", () => {
    const { violations, warnings, input } = person({ lastName: "Okafor-Bello" });
    expect([violations, warnings]).toEqual([[], []]);
    expect(input).toEqual({ ...ada, lastName: "Okafor-Bello" });
  });

  test("an empty body: the same person", () => {
    expect(person({}).input).toEqual(ada);
  });

  const CLEARED = [
    "middleName",
    "birthDate",
    "taxResidenceCountry",
    "placeOfBirthCountry",
    "phone",
    "jobTitle",
    "percentageShare",
    "isPoliticallyExposed",
    "isAuthorizedSignatory",
    "taxIdentificationNumber",
  ];
  const KEPT = ["firstName", "lastName", "nationality", "email", "ownershipType", "address", "identities"];

  test("the two tables of null name every field of the body", () => {
    expect([...CLEARED, ...KEPT].toSorted()).toEqual(Object.keys(personPatchSchema).toSorted());
  });

  test.each(CLEARED)("%s null: is cleared", (field) => {
    expect(person({ [field]: null })).toMatchObject({ violations: [], input: { ...ada, [field]: null } });
  });

  test.each(KEPT)("%s null: is refused by name", (field) => {
    expect(person({ [field]: null })).toMatchObject({
      violations: [{ field, code: "ValidationControl.Error" }],
      input: null,
    });
    expect(person({ [field]: null }).violations).toHaveLength(1);
  });

  test("a body that is made of what a read shows: nothing is unknown, and nothing changes", () => {
    const identities = [anIdentity()];
    const known = aStoredPerson(ADA, { email: ada.email, identities, taxNumberLastFour: "1234" });
    const [read] = profileView({ ...profile, people: [known] }).businessPersonList;
    const valid = { ...ada, identities: [{ ...national, expiryDate: null, remarks: [] }] };
    const judged = judgePerson({ ...read }, profile, valid, context);
    expect(judged).toEqual({ violations: [], warnings: [], input: valid });
  });

  test("identities: replace the list; a masked number is the number", () => {
    const { input } = person({ identities: [aNationalId({ identityValue: "****8901" })] });
    expect(input?.identities.map(({ identityValue }) => identityValue)).toEqual(["12345678901"]);
    expect(namesOf(person({ identities: [] }).violations)).toEqual(["identities: ValidationControl.Error"]);
    expect(namesOf(person({ identities: [aNationalId({ identityValue: "x" })] }).violations)).toEqual([
      "identities[0].identityValue: Identity.Format",
    ]);
  });

  test("another residence: judges the identities that stay", () => {
    const { violations } = person({ address: anAddress({ countryCode: "GBR" }) });
    expect(namesOf(violations)).toContain("identities[1].identityTypeCode: Identity.TypeNotAccepted");
    expect(person({ address: anAddress({ city: "Abuja" }) }).violations).toEqual([]);
  });

  test("fields are named as the body has them, each with the code of the contract", () => {
    const { violations } = person({
      phone: "1",
      nationality: "QQQ",
      birthDate: "2999-01-01",
      lastName: "a\0",
    });
    expect(violations.map(({ field, code }) => `${field}: ${code}`).toSorted()).toEqual([
      "birthDate: ValidationControl.Error",
      "lastName: ValidationControl.Error",
      "nationality: Country.NotFound",
      "phone: PhoneNumber.Invalid",
    ]);
    expect(person("text").violations).toMatchObject([{ field: "", code: "ValidationControl.Error" }]);
  });

  test("the email of another person: is refused; the own one in another case is not", () => {
    expect(namesOf(person({ email: "BEN@harbourfoods.example" }).violations)).toEqual([
      "email: Person.EmailDuplicate",
    ]);
    expect(person({ email: "ADA@harbourfoods.example" }).violations).toEqual([]);
  });

  test("warnings are about what was sent; a strict caller has them refused", () => {
    expect(namesOf(person({ lastname: "x", percentageShare: null }).warnings)).toEqual([
      "lastname: Property.Unknown",
      "percentageShare: Person.ShareMissing",
    ]);
    expect(namesOf(person({ lastname: "x" }, { isStrict: true }).violations)).toEqual([
      "lastname: Property.Unknown",
    ]);
    expect(person({ ownershipType: ["UBO"] }).warnings).toEqual([]);
    const without = { ...ada, percentageShare: null };
    expect(namesOf(judgePerson({ ownershipType: ["UBO"] }, profile, without, context).warnings)).toEqual([
      "percentageShare: Person.ShareMissing",
    ]);
  });
});

test("a correction with any violation gives nothing to store; the id of the person stays", () => {
  expect(person({ email: "no email" })).toMatchObject({ warnings: [], input: null });
  expect(person({ uboId: BEN, firstName: "Adaeze" }).input).toMatchObject({ uboId: ADA });
});
