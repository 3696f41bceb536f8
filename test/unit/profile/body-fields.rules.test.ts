import { expect, test } from "@jest/globals";
import { toChanges } from "../../../services/profile/input/body-fields.rules.ts";

test("toChanges: what is sent is changed, and null clears what need not be there", () => {
  const sent = {
    email: "a@b.example",
    companyName: "Harbour",
    website: undefined,
    phoneNumber: null,
    tradingName: "Harbour Foods",
    description: null,
    registrationDate: "2020-01-01",
    businessTypeCode: "llc",
    other: "x",
  };
  expect(toChanges(sent)).toEqual({
    email: "a@b.example",
    companyName: "Harbour",
    phoneNumber: null,
    tradingName: "Harbour Foods",
    description: null,
    registrationDate: "2020-01-01",
    businessTypeCode: "LLC",
  });
});
