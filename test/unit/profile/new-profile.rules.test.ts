import { expect, test } from "@jest/globals";
import { newProfile } from "../../../services/profile/change/new-profile.rules.ts";
import type { BusinessFields } from "../../../shared/contract/answers/customer.ts";
import { aStoredAddress, aStoredPerson } from "../../support/builders/stored-profile.ts";

test("newProfile: waits for verification, at the first version, with nothing decided", () => {
  const at = "2030-01-01T00:00:00.000Z";
  const business: BusinessFields = {
    email: "office@x.example",
    phoneNumber: null,
    companyName: "Ｈarbour FOODS",
    tradingName: null,
    businessTypeCode: "LLC",
    incorporationCountryIso3Code: "NGA",
    industry: "Grants",
    description: null,
    website: "https://x.example",
    registrationNumber: "RC1",
    registrationDate: null,
  };
  const input = {
    partnerCustomerId: "ref",
    business,
    addresses: [aStoredAddress()],
    financials: null,
    people: [],
  };
  const people = [aStoredPerson("u1")];
  const given = { customerId: "c", partnerId: "p", input, sealedKey: "k", isTest: false, people, at };
  expect(newProfile({ ...given, isTest: true })).toEqual({ ...newProfile(given), isTest: true });
  expect(newProfile(given)).toEqual({
    _id: "c",
    partnerId: "p",
    partnerCustomerId: "ref",
    sealedKey: "k",
    ...business,
    companyNameKey: "harbour foods",
    addresses: [aStoredAddress()],
    financials: null,
    people,
    documents: [],
    verificationStatus: "PendingVerification",
    reviewStage: "Queued",
    claim: null,
    submittedAt: at,
    statusChangedAt: at,
    decidedAt: null,
    decision: null,
    changeRequests: [],
    openChangeRequestCount: 0,
    history: [{ status: "PendingVerification", at }],
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  });
});
