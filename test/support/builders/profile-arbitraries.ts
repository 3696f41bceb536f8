/** Random bodies: valid ones in all their variety, and ones with a fault somewhere. */
import fc from "fast-check";
import {
  ACCOUNT_PURPOSES,
  BUSINESS_TYPES,
  INDUSTRIES,
  MONTHLY_TURNOVERS,
  OWNERSHIP_TYPES,
  TRANSACTION_VALUES,
} from "../../../shared/contract/vocabularies.ts";
import { type Body, dayFromNow } from "./profile-builders.ts";

const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Any text that can be stored, in any script. */
const anyText = (max: number) =>
  fc
    .string({ unit: "grapheme", maxLength: max })
    .filter((text) => text.length <= max && !text.includes("\0"));
const filled = (max: number, min = 1) =>
  anyText(max).filter((text) => text.length >= min && /\S/.test(text) && text.isWellFormed());
const day = (from: number, to: number) => fc.integer({ min: from, max: to }).map((days) => dayFromNow(days));
const email = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.+é]{1,40}$/), fc.stringMatching(/^[a-zA-Z0-9.-]{1,40}$/))
  .map(([name, host]) => `${name}@${host}`);
const phone = fc.stringMatching(/^\+[1-9][0-9]{6,14}$/);
const country = oneOf(["NGA", "GHA", "USA", "JPN", "SSD", "ALA"]);

const address = (countryCode: fc.Arbitrary<string>) =>
  fc.record(
    {
      streetLine1: filled(255),
      streetLine2: anyText(255),
      city: filled(100),
      state: filled(100),
      postalCode: filled(20),
      countryCode,
    },
    { requiredKeys: ["streetLine1", "city", "state", "postalCode", "countryCode"] },
  );

const identity = fc.oneof(
  fc.record({
    identityTypeCode: fc.constant("PASSPORT"),
    issuingCountry: fc.constant("NGA"),
    identityValue: fc.stringMatching(/^[A-Z][0-9]{8}$/),
    issueDate: optional(day(-3000, 0)),
    expiryDate: day(1, 3000),
  }),
  fc.record({
    identityTypeCode: fc.constant("BVN"),
    issuingCountry: fc.constant("NGA"),
    identityValue: fc.stringMatching(/^[0-9]{11}$/),
    documentUploadId: optional(fc.uuid({ version: [4, 7] })),
  }),
  fc.record({
    identityTypeCode: fc.constant("OTHERS"),
    issuingCountry: country,
    identityValue: fc.stringMatching(/^[A-Z0-9][A-Z0-9 ./-]{2,63}$/),
  }),
);

export const aRandomPerson = fc.record(
  {
    firstName: filled(100),
    middleName: anyText(100),
    lastName: filled(100),
    birthDate: day(-30_000, -1),
    nationality: country,
    taxResidenceCountry: country,
    placeOfBirthCountry: country,
    email,
    phone,
    jobTitle: anyText(100),
    ownershipType: fc.uniqueArray(oneOf(OWNERSHIP_TYPES), { minLength: 1 }),
    percentageShare: fc.integer({ min: 1, max: 20 }),
    isPoliticallyExposed: fc.boolean(),
    isAuthorizedSignatory: fc.boolean(),
    taxIdentificationNumber: anyText(50),
    address: address(fc.constant("NGA")),
    identities: fc.array(identity, { minLength: 1, maxLength: 4 }),
  },
  {
    requiredKeys: ["firstName", "lastName", "nationality", "email", "ownershipType", "address", "identities"],
  },
) as fc.Arbitrary<Body>;

const people = fc.uniqueArray(aRandomPerson, {
  maxLength: 5,
  selector: (person) => String(person.email).toLowerCase(),
});

const financials = fc.record({
  monthlyTurnOver: oneOf(MONTHLY_TURNOVERS),
  estimatedTransactionValue: oneOf(TRANSACTION_VALUES),
  sourceOfFunds: oneOf(INDUSTRIES),
  purposeOfAccount: oneOf(ACCOUNT_PURPOSES),
});

const website = fc
  .webUrl({ withFragments: true, withQueryParameters: true })
  .filter((url) => url.length <= 255);

/** Fields that PATCH knows under the same name and the same rule. */
const patchableFields = {
  email,
  phoneNumber: phone,
  companyName: filled(255, 2),
  tradingName: anyText(255),
  businessTypeCode: oneOf(BUSINESS_TYPES.map(({ code }) => code)),
  incorporationCountryIso3Code: country,
  industry: oneOf(INDUSTRIES),
  description: anyText(1000),
  website,
  registrationNumber: filled(10),
  registrationDate: day(-30_000, 1000),
  addresses: fc.array(address(country), { maxLength: 3 }),
  financials,
};

export const aRandomProfile = fc.record(
  {
    partnerCustomerId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:@-]{19,60}$/),
    ...patchableFields,
    businessPersonList: people,
  },
  {
    requiredKeys: [
      "partnerCustomerId",
      "email",
      "companyName",
      "businessTypeCode",
      "incorporationCountryIso3Code",
      "industry",
      "website",
      "registrationNumber",
    ],
  },
) as fc.Arbitrary<Body>;

export const aRandomPatch = fc.record(patchableFields, { requiredKeys: [] }) as fc.Arbitrary<Body>;

/** Puts something wrong, or just something else, in place of one value anywhere in a body. */
export const spoiled = (body: fc.Arbitrary<Body>): fc.Arbitrary<Body> =>
  fc.tuple(body, fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([whole, at, other]) => {
    const copy = structuredClone(whole);
    const places = placesIn(copy);
    const [parent, key] = places[at % places.length] ?? [copy, "email"];
    parent[key] = other;
    return copy;
  });

type Place = [Record<string, unknown>, string];

function placesIn(value: unknown): Place[] {
  if (value === null || typeof value !== "object") return [];
  const record = value as Record<string, unknown>;
  return Object.keys(record).flatMap((key): Place[] => [[record, key], ...placesIn(record[key])]);
}
