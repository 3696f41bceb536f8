import { describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import {
  anAddress,
  aPassport,
  aPerson,
  aProfile,
  aReplacement,
  aSmallProfile,
  dayFromNow,
  financials,
} from "../../support/builders/profile-builders.ts";
import { partner, startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

describe("the fault that names the error", () => {
  const money = financials({ monthlyTurnOver: "Lots" });
  const unknownCountry = [anAddress({ countryCode: "ZZZ" })];

  test.each<[string, object, string]>([
    [
      "shape first",
      { email: 1, partnerCustomerId: "", phoneNumber: "x", financials: money, addresses: unknownCountry },
      "Validation",
    ],
    [
      "then the reference",
      { partnerCustomerId: "", phoneNumber: "x", financials: money, addresses: unknownCountry },
      "Customer.PartnerCustomerIdRequired",
    ],
    [
      "then phones",
      { phoneNumber: "x", financials: money, addresses: unknownCountry },
      "PhoneNumber.Invalid",
    ],
    [
      "then vocabularies and people",
      { financials: money, addresses: unknownCountry },
      "ValidationControl.Error",
    ],
    ["then look-ups", { addresses: unknownCountry }, "Country.NotFound"],
  ])("on create, %s", async (_name, changes, code) => {
    const outcome = await stage.ask("profile.create", { body: aSmallProfile(changes as Value) });
    expect(outcome).toMatchObject({ ok: false, code });
    const { details } = outcome as unknown as { details: unknown[] };
    expect(details).toHaveLength(Object.keys(changes).length);
  });

  test("look-ups before the duplicate", async () => {
    const { partnerCustomerId } = await stage.create(aSmallProfile());
    const body = aSmallProfile({ partnerCustomerId, addresses: unknownCountry });
    expect(await stage.ask("profile.create", { body })).toMatchObject({ code: "Country.NotFound" });
  });

  test("ownership before the body, the body before the lock", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const caller = partner(randomId());
    expect(await stage.patch(customerId, { email: 1 }, { caller })).toMatchObject({ status: 403 });
    await stage.collection.updateOne(
      { _id: customerId },
      { $set: { verificationStatus: "Rejected", reviewStage: "Closed" } },
    );
    expect(await stage.patch(customerId, { email: 1 })).toMatchObject({ status: 400 });
    expect(await stage.patch(customerId, { email: "a@b" })).toMatchObject({
      code: "Customer.VerificationClosed",
    });
  });
});

describe("an update with several faults names all of them", () => {
  type Change = (stored: { ubos: Value[] }) => Value;
  type Named = [field: string, code: string];
  const REFERENCE: Named = ["partnerCustomerId", "Customer.PartnerCustomerIdInvalid"];
  const PHONE: Named = ["phoneNumber", "PhoneNumber.Invalid"];
  const control = (field: string): Named => [field, "ValidationControl.Error"];
  const other = { partnerCustomerId: "another" };
  const badPhone = { phoneNumber: "1" };
  const uboField = "businessPersonList[0].uboId";

  const expectNamed = (outcome: object, expected: Named[]) => {
    expect(outcome).toMatchObject({ ok: false, status: 400, code: expected[0]?.[1] });
    const { details } = outcome as { details: Value[] };
    expect(details.map(({ field, code }) => [field, code])).toEqual(expected);
  };

  // The rank of every code: unit/profile/violations.rules; every fault of a field: unit/profile/profile-input.rules.
  const BOTH: [string, Change, Named[]][] = [
    ["a reference of a wrong type", () => ({ partnerCustomerId: 5 }), [REFERENCE]],
    ["a reference that cannot be stored", () => ({ partnerCustomerId: "a\0" }), [REFERENCE]],
    [
      "a shape, a reference, a phone, a vocabulary, a look-up",
      () => ({ incorporationCountryIso3Code: "ZZZ", industry: "X", ...badPhone, ...other, description: 1 }),
      [
        control("description"),
        REFERENCE,
        PHONE,
        control("industry"),
        ["incorporationCountryIso3Code", "Country.NotFound"],
      ],
    ],
  ];

  test.each<[string, Change, Named[]]>([
    ...BOTH,
    [
      "an unknown person, a phone",
      () => ({ businessPersonList: [aPerson({ uboId: randomId() })], ...badPhone }),
      [PHONE, [uboField, "Ubo.NotFound"]],
    ],
  ])("PUT with %s", async (_name, change, expected) => {
    const created = await stage.create(aProfile());
    const body = aReplacement(created.customerId, change(created));
    expectNamed(await stage.put(created.customerId, body), expected);
  });

  test.each<[string, Change, Named[]]>([
    ...BOTH,
    [
      "the email of a stored person, a phone",
      ({ ubos }) => ({ businessPersonList: [aPerson({ email: ubos[0]?.email })], ...badPhone }),
      [PHONE, control("businessPersonList[0].email")],
    ],
  ])("PATCH with %s", async (_name, change, expected) => {
    const created = await stage.create(aProfile());
    expectNamed(await stage.patch(created.customerId, change(created)), expected);
  });

  test("PATCH with one person too many and a phone", async () => {
    const people = Array.from({ length: 50 }, () => aPerson({ percentageShare: null }));
    const { customerId } = await stage.create(aProfile({ businessPersonList: people }));
    const outcome = await stage.patch(customerId, { businessPersonList: [aPerson()], ...badPhone });
    expectNamed(outcome, [PHONE, control("businessPersonList")]);
  });

  test("no reference is no fault, null for it is one in PATCH only", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    expect(await stage.patch(customerId, { partnerCustomerId: undefined })).toMatchObject({ ok: true });
    expectNamed(await stage.patch(customerId, { partnerCustomerId: null }), [REFERENCE]);
    for (const partnerCustomerId of [undefined, null])
      expect(await stage.put(customerId, aReplacement(customerId, { partnerCustomerId }))).toMatchObject({
        ok: true,
      });
  });

  test("on create, the dates of an identity too, without a rule of a country for its form", async () => {
    const wrong = aPassport({
      identityTypeCode: "IDENTITY_CARD",
      issueDate: dayFromNow(9),
      expiryDate: null,
    });
    const people = [
      aPerson({ identities: [wrong] }),
      aPerson({ identities: [wrong], address: anAddress({ countryCode: "JPN" }) }),
    ];
    const at = (index: number, field: string) => `businessPersonList[${index}].${field}`;
    const body = aSmallProfile({ businessPersonList: people });
    expectNamed(await stage.ask("profile.create", { body }), [
      control(at(0, "identities[0].identityTypeCode")),
      control(at(0, "identities[0].issueDate")),
      control(at(1, "identities[0].issueDate")),
      [at(1, "address.countryCode"), "OnboardingConfig.NotFound"],
    ]);
  });

  test("on create a reference that cannot be stored has its own code", async () => {
    const body = aSmallProfile({ partnerCustomerId: "a\0" });
    expectNamed(await stage.ask("profile.create", { body }), [REFERENCE]);
  });
});
