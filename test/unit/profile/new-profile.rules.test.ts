import { expect, test } from "@jest/globals";
import { newProfile } from "../../../services/profile/change/new-profile.rules.ts";
import { BUSINESS_FIELDS, type BusinessFields } from "../../../shared/contract/answers/customer.ts";
import { aStoredAddress, aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

test("newProfile: waits for verification, at the first version, with nothing decided", () => {
  const stored = aStoredProfile({
    companyName: "Ｈarbour FOODS",
    companyNameKey: "harbour foods",
    addresses: [aStoredAddress()],
    people: [aStoredPerson("u1")],
    sequence: 0,
  });
  const { _id: customerId, partnerCustomerId, addresses, financials, createdAt: at } = stored;
  const business = Object.fromEntries(BUSINESS_FIELDS.map((name) => [name, stored[name]])) as BusinessFields;
  const input = { partnerCustomerId, business, addresses, financials, people: [] };
  const given = { ...stored, customerId, input, at, isTest: false };
  expect(newProfile(given)).toEqual(stored);
  expect(newProfile({ ...given, isTest: true })).toEqual({ ...stored, isTest: true });
});
