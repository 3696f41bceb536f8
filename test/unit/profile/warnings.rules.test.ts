/** Warnings next to a successful create, PUT or PATCH; a strict caller is refused for them. */
import { describe, expect, test } from "@jest/globals";
import {
  judgeCreate,
  judgePatch,
  judgeReplace,
} from "../../../services/profile/input/profile-input.rules.ts";
import { peopleWarnings } from "../../../services/profile/input/warnings.rules.ts";
import { dayOf } from "../../../services/profile/record/text.rules.ts";
import type { Violation } from "../../../shared/errors.ts";
import {
  aNationalId,
  anAddress,
  aPerson,
  aProfile,
  aReplacement,
  aSmallProfile,
} from "../../support/builders/profile-builders.ts";
import {
  aPersonInput,
  aStoredPerson,
  aStoredProfile,
  seedCountries,
} from "../../support/builders/stored-profile.ts";

const lenient = { countries: seedCountries(), today: dayOf(Date.now()) };
const strict = { ...lenient, isStrict: true };
const stored = aStoredProfile({ people: [aStoredPerson("ada")] });
const nobody = aStoredProfile({ people: [] });

const namesOf = (found: readonly Violation[]) => found.map(({ field, code }) => `${field}: ${code}`);
const create = (body: unknown) => namesOf(judgeCreate(body, lenient).warnings);
const put = (changes: object, of = stored) =>
  namesOf(judgeReplace(aReplacement(of._id, { ...changes }), of, lenient, () => aPersonInput()).warnings);
const patch = (body: unknown) => namesOf(judgePatch(body, nobody, lenient).warnings);

const zulu = (identityValue: string) =>
  aPerson({
    address: anAddress({ countryCode: "ZAF" }),
    identities: [aNationalId({ issuingCountry: "ZAF", identityValue })],
  });

describe("warnings", () => {
  test("a body that says what it means: none", () => {
    expect(create(aProfile())).toEqual([]);
    expect(put({ businessPersonList: [aPerson()] })).toEqual([]);
    expect(patch({ website: "https://harbourfoods.example" })).toEqual([]);
  });

  test("no person is named: on create and PUT when no person remains, on PATCH when the list is empty", () => {
    const expected = ["businessPersonList: People.Missing"];
    for (const businessPersonList of [undefined, null, []])
      expect(create(aSmallProfile({ businessPersonList }))).toEqual(expected);
    expect(put({})).toEqual([]);
    expect(put({}, nobody)).toEqual(expected);
    expect(put({ businessPersonList: [] })).toEqual(expected);
    expect(patch({ businessPersonList: [] })).toEqual(expected);
    expect(patch({})).toEqual([]);
    expect(patch(undefined)).toEqual([]);
  });

  test("a check digit of an identity that does not say who issued it: is left to the shape check", () => {
    const warnings = (issuingCountry: unknown) =>
      namesOf(
        peopleWarnings(
          [
            aPerson({
              address: anAddress({ countryCode: "ZAF" }),
              identities: [aNationalId({ issuingCountry, identityValue: "8001015009088" })],
            }),
          ],
          lenient,
        ),
      );
    expect(warnings("ZAF")).toEqual([
      "businessPersonList[0].identities[0].identityValue: Identity.CheckDigit",
    ]);
    expect(warnings(undefined)).toEqual([]);
  });

  test("a UBO without a share; a director needs none", () => {
    const people = [
      aPerson({ percentageShare: undefined }),
      aPerson({ percentageShare: null }),
      aPerson({ percentageShare: null, ownershipType: ["DIRECTOR"] }),
    ];
    expect(create(aProfile({ businessPersonList: people }))).toEqual([
      "businessPersonList[0].percentageShare: Person.ShareMissing",
      "businessPersonList[1].percentageShare: Person.ShareMissing",
    ]);
  });

  test("a check digit that does not fit", () => {
    const people = [zulu("8001015009087"), zulu("8001015009088")];
    expect(create(aProfile({ businessPersonList: people }))).toEqual([
      "businessPersonList[1].identities[0].identityValue: Identity.CheckDigit",
    ]);
  });

  test("an unknown property, at any depth: PUT has other names than create", () => {
    const person = aPerson({ uboid: "x", fristName: "A", address: anAddress({ zip: "1" }) });
    expect(create(aProfile({ tradingname: "T", businessPersonList: [person] }))).toEqual([
      "businessPersonList[0].address.zip: Property.Unknown",
      "businessPersonList[0].uboid: Property.Unknown",
      "businessPersonList[0].fristName: Property.Unknown",
      "tradingname: Property.Unknown",
    ]);
    expect(put({ companyName: "Other" })).toEqual(["companyName: Property.Unknown"]);
  });
});

describe("a strict caller", () => {
  test("with other faults: all are named together, a field at most once", () => {
    const body = aProfile({ email: 7, businessPersonList: [{ ...zulu("12"), percentageShare: null }] });
    expect(namesOf(judgeCreate(body, strict).violations)).toEqual([
      "email: Validation",
      "businessPersonList[0].identities[0].identityValue: ValidationControl.Error",
      "businessPersonList[0].percentageShare: ValidationControl.Error",
    ]);
  });

  test("with nothing to warn of: is served", () => {
    expect(judgeCreate(aProfile(), strict).input).not.toBeNull();
  });
});
