import { describe, expect, test } from "@jest/globals";
import {
  answerRequests,
  type Changes,
  isAnswered,
  NO_CHANGES,
  TARGET_FIELDS,
} from "../../../services/profile/change/change-requests.rules.ts";
import { configOfSeed } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { countryDirectory } from "../../../services/profile/country/country-directory.rules.ts";
import { judgeCreate } from "../../../services/profile/input/profile-input.rules.ts";
import { dayOf } from "../../../services/profile/record/text.rules.ts";
import type { ChangeRequest, ChangeTarget } from "../../../shared/contract/answers/verification.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";

const target = (kind: ChangeTarget["kind"], more: Partial<ChangeTarget> = {}): ChangeTarget => ({
  kind,
  uboId: null,
  documentCategory: null,
  field: null,
  ...more,
});
const changes = (some: Partial<Changes>): Changes => ({ ...NO_CHANGES, ...some });
const selfie = { documentId: "d1", documentCategory: "Selfie", uboId: "u1" } as const;
const licence = { documentId: "d2", documentCategory: "BusinessLicense", uboId: null } as const;

describe("isAnswered", () => {
  test.each<[string, ChangeTarget, Changes, boolean]>([
    ["its field", target("Business", { field: "website" }), changes({ fields: ["website"] }), true],
    ["another field", target("Business", { field: "website" }), changes({ fields: ["email"] }), false],
    [
      "its field by its PUT name",
      target("Business", { field: "name" }),
      changes({ fields: ["companyName"] }),
      true,
    ],
    ["any field when none is named", target("Business"), changes({ fields: ["email"] }), true],
    ["nothing", target("Business"), NO_CHANGES, false],
    ["a person added", target("Person"), changes({ addedUboIds: ["u9"] }), true],
    [
      "a person changed when one was missing",
      target("Person"),
      changes({ people: new Map([["u1", ["email"]]]) }),
      false,
    ],
    [
      "the person changed",
      target("Person", { uboId: "u1" }),
      changes({ people: new Map([["u1", ["email"]]]) }),
      true,
    ],
    [
      "another person changed",
      target("Person", { uboId: "u1" }),
      changes({ people: new Map([["u2", ["email"]]]) }),
      false,
    ],
    [
      "another field of the person",
      target("Person", { uboId: "u1", field: "phone" }),
      changes({ people: new Map([["u1", ["email"]]]) }),
      false,
    ],
    ["the person removed", target("Person", { uboId: "u1" }), changes({ removedUboIds: ["u1"] }), true],
    [
      "a person added, when one is to be changed",
      target("Person", { uboId: "u1" }),
      changes({ addedUboIds: ["u9"] }),
      false,
    ],
    [
      "the identities of the person",
      target("Identity", { uboId: "u1" }),
      changes({ people: new Map([["u1", ["identities"]]]) }),
      true,
    ],
    [
      "something else of the person",
      target("Identity", { uboId: "u1" }),
      changes({ people: new Map([["u1", ["email"]]]) }),
      false,
    ],
    [
      "the identities of anybody, when nobody is named",
      target("Identity"),
      changes({
        people: new Map([
          ["u1", ["email"]],
          ["u2", ["identities"]],
        ]),
      }),
      true,
    ],
    ["somebody added, when nobody is named", target("Identity"), changes({ addedUboIds: ["u9"] }), true],
    [
      "something else of somebody, when nobody is named",
      target("Identity"),
      changes({ people: new Map([["u1", ["email"]]]) }),
      false,
    ],
    [
      "the person with the identity removed",
      target("Identity", { uboId: "u1" }),
      changes({ removedUboIds: ["u1"] }),
      true,
    ],
    ["the person added", target("Person", { uboId: "u1" }), changes({ addedUboIds: ["u1"] }), false],
    [
      "a document of nobody for somebody",
      target("Document", { uboId: "u1" }),
      changes({ confirmed: [licence] }),
      false,
    ],
    [
      "a document of that person, of any category",
      target("Document", { uboId: "u1" }),
      changes({ confirmed: [selfie] }),
      true,
    ],
    [
      "a document of another category, when one is named",
      target("Document", { documentCategory: "IdentityBack", uboId: "u1" }),
      changes({ confirmed: [selfie] }),
      false,
    ],
    [
      "a document of the category",
      target("Document", { documentCategory: "Selfie" }),
      changes({ confirmed: [selfie] }),
      true,
    ],
    [
      "a document of another person",
      target("Document", { documentCategory: "Selfie", uboId: "u2" }),
      changes({ confirmed: [selfie] }),
      false,
    ],
    [
      "a document of another category",
      target("Document", { documentCategory: "Selfie" }),
      changes({ confirmed: [licence] }),
      false,
    ],
    [
      "a document for an identity",
      target("Identity", { uboId: "u1", documentCategory: "Selfie" }),
      changes({ confirmed: [selfie] }),
      true,
    ],
    [
      "a document of the category among others",
      target("Document", { documentCategory: "Selfie" }),
      changes({ confirmed: [licence, selfie] }),
      true,
    ],
    ["any document when no category is named", target("Document"), changes({ confirmed: [licence] }), true],
    ["a field instead of a document", target("Document"), changes({ fields: ["email"] }), false],
  ])("%s: %#", (_name, asked, made, expected) => {
    expect(isAnswered(asked, made)).toBe(expected);
  });
});

describe("the fields a request may name", () => {
  const configs = Object.entries(COUNTRY_SEED).map(([code, row]) =>
    configOfSeed(code, row, "2026-01-01T00:00:00.000Z"),
  );
  const countries = countryDirectory(configs, () => Date.now());
  const { input } = judgeCreate(aProfile(), { countries, today: dayOf(Date.now()) });
  const [person] = input?.people ?? [];
  const { uboId: _uboId, ...facts } = person ?? { uboId: null };

  test("fields of the business in which a change is noticed, under each of their names", () => {
    const noticed = [...Object.keys(input?.business ?? {}), "addresses", "financials", "businessPersonList"];
    for (const field of noticed) expect(TARGET_FIELDS.Business).toContain(field);
    for (const field of TARGET_FIELDS.Business)
      expect([field, isAnswered(target("Business", { field }), changes({ fields: noticed }))]).toEqual([
        field,
        true,
      ]);
  });

  test("fields of a person in which a change is noticed", () => {
    expect(TARGET_FIELDS.Person.toSorted()).toEqual(Object.keys(facts).toSorted());
  });
});

test("the fields of the business by their other names, of an identity, of a document", () => {
  const { Business, Person, Identity, Document } = TARGET_FIELDS;
  expect(Business).toEqual(
    expect.arrayContaining(["name", "businessEmail", "incorporationCountryCode", "people"]),
  );
  expect(Identity).toEqual([
    "identities",
    "identityTypeCode",
    "issuingCountry",
    "identityValue",
    "documentUploadId",
    "issueDate",
    "expiryDate",
  ]);
  expect(new Set(Document)).toEqual(new Set([...Business, ...Person, ...Identity]));
});

describe("answerRequests", () => {
  const request = (id: string, status: ChangeRequest["status"], field: string): ChangeRequest => ({
    changeRequestId: id,
    target: target("Business", { field }),
    reasonCode: "Other",
    message: "please",
    status,
    requestedAt: "2030-01-01T00:00:00.000Z",
    respondedAt: null,
  });

  test("marks what is answered, once, and counts what is left", () => {
    const requests = [
      request("a", "Open", "website"),
      request("b", "Open", "email"),
      request("c", "Withdrawn", "website"),
    ];
    const at = "2030-02-02T00:00:00.000Z";
    const result = answerRequests(requests, changes({ fields: ["website"] }), at);
    expect(result).toMatchObject({ answered: 1, openLeft: 1 });
    expect(result.changeRequests).toEqual([
      { ...requests[0], status: "Answered", respondedAt: at },
      requests[1],
      requests[2],
    ]);
  });

  test("gives back the very same list when nothing is answered", () => {
    const requests = [request("a", "Open", "website")];
    expect(answerRequests(requests, NO_CHANGES, "x").changeRequests).toBe(requests);
  });
});
