import { describe, expect, test } from "@jest/globals";
import { differences } from "../../../gateway/dashboard/core/differences.rules.ts";

const ada = { uboId: "u-1", firstName: "Ada", lastName: "Obi", email: "ada@one.example" };
const passport = { documentId: "d-1", documentCategory: "PASSPORT", status: "Pending", confirmedAt: null };
const identity = { identityTypeCode: "PASSPORT", expiryDate: "2030-01-01" };
const request = { changeRequestId: "c-1", message: "Give a website.", status: "Open" };
const record = {
  version: 3,
  companyName: "Lagos Textiles",
  website: "",
  phoneNumber: null,
  addresses: [{ city: "Lagos" }],
  businessPersonList: [ada],
  documents: [passport],
  changeRequests: [request],
  identities: [identity],
  tags: ["new"],
};

describe("differences", () => {
  test("two versions of an equal record: no differences", () => {
    expect(differences(record, { ...record, version: 4, updatedAt: "2026-01-01" })).toEqual([]);
  });

  test.each([
    [
      "a changed field",
      { companyName: "Lagos Textile" },
      { what: "Company name", before: "Lagos Textiles", after: "Lagos Textile" },
    ],
    [
      "a field that is given now",
      { website: "https://x.example" },
      { what: "Website", before: null, after: "https://x.example" },
    ],
    [
      "a field that is gone",
      { companyName: null },
      { what: "Company name", before: "Lagos Textiles", after: null },
    ],
    [
      "a field of a person",
      { businessPersonList: [{ ...ada, email: "ada@two.example" }] },
      { what: "Business person list › Ada Obi › Email", before: "ada@one.example", after: "ada@two.example" },
    ],
    [
      "a document that was confirmed",
      { documents: [{ ...passport, status: "Confirmed" }] },
      { what: "Documents › Passport › Status", before: "Pending", after: "Confirmed" },
    ],
    [
      "an answered request",
      { changeRequests: [{ ...request, status: "Answered" }] },
      { what: "Change requests › Give a website. › Status", before: "Open", after: "Answered" },
    ],
    [
      "an entry without a name",
      { addresses: [{ city: "Abuja" }] },
      { what: "Addresses › 1 › City", before: "Lagos", after: "Abuja" },
    ],
    [
      "an identity",
      { identities: [{ ...identity, expiryDate: null }] },
      { what: "Identities › Passport › Expiry date", before: "2030-01-01", after: null },
    ],
    ["an entry that is a text", { tags: ["old"] }, { what: "Tags › 1", before: "new", after: "old" }],
  ])("%s", (_name, changes, difference) => {
    expect(differences(record, { ...record, ...changes })).toEqual([difference]);
  });

  test.each([
    ["documents", passport, "documentId"],
    ["changeRequests", request, "changeRequestId"],
    ["businessPersonList", ada, "uboId"],
  ])("a new first entry of the %s does not change the next", (list, entry, id) => {
    const other = { ...entry, [id]: "other", status: "New" };
    const found = differences({ [list]: [entry] }, { [list]: [other, entry] });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ before }) => before === null)).toBe(true);
  });
});
