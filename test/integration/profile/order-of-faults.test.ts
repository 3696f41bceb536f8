import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import { anAddress, aSmallProfile, financials } from "../../support/profile-builders.ts";
import { type ProfileStage, partner, startProfileStage, type Value } from "../../support/profile-stage.ts";

let stage: ProfileStage;
beforeAll(async () => {
  stage = await startProfileStage();
});
afterAll(() => stage.stop());

describe("which of several faults names the error", () => {
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
