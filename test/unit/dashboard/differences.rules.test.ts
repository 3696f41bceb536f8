import { describe, expect, test } from "@jest/globals";
import { differences } from "../../../gateway/dashboard/core/differences.rules.ts";

const ada = { uboId: "u-1", firstName: "Ada", lastName: "Obi", email: "ada@one.example" };
const passport = { documentId: "d-1", documentCategory: "PASSPORT", status: "Pending", confirmedAt: null };
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
    ["an entry that is a text", { tags: ["old"] }, { what: "Tags › 1", before: "new", after: "old" }],
  ])("%s", (_name, changes, difference) => {
    expect(differences(record, { ...record, ...changes })).toEqual([difference]);
  });

  test.each([
    ["documents", passport, "documentId"],
    ["changeRequests", request, "changeRequestId"],
  ])("an entry that came first does not make the next of the %s another one", (list, entry, id) => {
    const other = { ...entry, [id]: "other", status: "New" };
    const found = differences({ [list]: [entry] }, { [list]: [other, entry] });
    expect(found.every(({ before }) => before === null)).toBe(true);
  });

  test("an identity is named by its type", () => {
    const identity = { identityTypeCode: "PASSPORT", expiryDate: "2030-01-01" };
    expect(
      differences({ identities: [identity] }, { identities: [{ ...identity, expiryDate: null }] }),
    ).toEqual([{ what: "Identities › Passport › Expiry date", before: "2030-01-01", after: null }]);
  });

  test("a person who came first does not make the next one another person", () => {
    const ben = { uboId: "u-2", firstName: "Ben", lastName: "Eze", email: "ben@one.example" };
    const found = differences(record, { ...record, businessPersonList: [ben, ada] });
    expect(found.map(({ what }) => what)).toEqual([
      "Business person list › Ben Eze › First name",
      "Business person list › Ben Eze › Last name",
      "Business person list › Ben Eze › Email",
    ]);
  });
});
