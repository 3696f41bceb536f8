import { describe, expect, test } from "@jest/globals";
import {
  answerRequests,
  type Changes,
  isAnswered,
  NO_CHANGES,
  TARGET_FIELDS,
} from "../../../services/profile/change/change-requests.rules.ts";
import { judgeCreate } from "../../../services/profile/input/profile-input.rules.ts";
import { dayOf } from "../../../services/profile/record/text.rules.ts";
import type { ChangeRequest, ChangeTarget } from "../../../shared/contract/answers/verification.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { seedCountries } from "../../support/builders/stored-profile.ts";

const target = (kind: ChangeTarget["kind"], more: Partial<ChangeTarget> = {}): ChangeTarget => ({
  kind,
  uboId: null,
  documentCategory: null,
  field: null,
  ...more,
});
const changes = (some: Partial<Changes>): Changes => ({ ...NO_CHANGES, ...some });
const field = (name: string) => changes({ fields: [name] });
const added = (uboId: string) => changes({ addedUboIds: [uboId] });
const removed = (uboId: string) => changes({ removedUboIds: [uboId] });
const person = (uboId: string, name: string) => changes({ people: new Map([[uboId, [name]]]) });
const selfie = { documentId: "d1", documentCategory: "Selfie", uboId: "u1" } as const;
const licence = { documentId: "d2", documentCategory: "BusinessLicense", uboId: null } as const;
const confirmed = (...documents: Changes["confirmed"]) => changes({ confirmed: documents });

describe("isAnswered", () => {
  const U1 = { uboId: "u1" };
  const SELFIE = { documentCategory: "Selfie" } as const;
  const business = (name: string) => target("Business", { field: name });

  test.each<[string, ChangeTarget, Changes, boolean]>([
    ["its field", business("website"), field("website"), true],
    ["another field", business("website"), field("email"), false],
    ["its field by its PUT name", business("name"), field("companyName"), true],
    ["any field when none is named", target("Business"), field("email"), true],
    ["nothing", target("Business"), NO_CHANGES, false],
    ["a person added", target("Person"), added("u9"), true],
    ["a person changed when one was missing", target("Person"), person("u1", "email"), false],
    ["the person changed", target("Person", U1), person("u1", "email"), true],
    ["another person changed", target("Person", U1), person("u2", "email"), false],
    [
      "another field of the person",
      target("Person", { ...U1, field: "phone" }),
      person("u1", "email"),
      false,
    ],
    ["the person removed", target("Person", U1), removed("u1"), true],
    ["a person added, when one is to be changed", target("Person", U1), added("u9"), false],
    ["the person added", target("Person", U1), added("u1"), false],
    ["the identities of the person", target("Identity", U1), person("u1", "identities"), true],
    ["another field of the person", target("Identity", U1), person("u1", "email"), false],
    ["the person with the identity removed", target("Identity", U1), removed("u1"), true],
    [
      "the identities of any person, when none is named",
      target("Identity"),
      person("u2", "identities"),
      true,
    ],
    ["a person added, when none is named", target("Identity"), added("u9"), true],
    ["another field of a person, when none is named", target("Identity"), person("u1", "email"), false],
    ["a document for an identity", target("Identity", { ...U1, ...SELFIE }), confirmed(selfie), true],
    ["a document of no person for a person", target("Document", U1), confirmed(licence), false],
    ["a document of that person, of any category", target("Document", U1), confirmed(selfie), true],
    ["a document of the category", target("Document", SELFIE), confirmed(selfie), true],
    [
      "a document of another person",
      target("Document", { ...SELFIE, uboId: "u2" }),
      confirmed(selfie),
      false,
    ],
    ["a document of another category", target("Document", SELFIE), confirmed(licence), false],
    ["a document of the category among others", target("Document", SELFIE), confirmed(licence, selfie), true],
    ["any document when no category is named", target("Document"), confirmed(licence), true],
    ["a field instead of a document", target("Document"), field("email"), false],
  ])("%s: %#", (_name, asked, made, expected) => {
    expect(isAnswered(asked, made)).toBe(expected);
  });
});

describe("the fields a request may name", () => {
  const { input } = judgeCreate(aProfile(), { countries: seedCountries(), today: dayOf(Date.now()) });
  const [first] = input?.people ?? [];
  const { uboId: _uboId, ...facts } = first ?? { uboId: null };

  test("fields of the business in which a change is noticed, under each of their names", () => {
    const noticed = [...Object.keys(input?.business ?? {}), "addresses", "financials", "businessPersonList"];
    for (const name of noticed) expect(TARGET_FIELDS.Business).toContain(name);
    const unanswered = TARGET_FIELDS.Business.filter(
      (name) => !isAnswered(target("Business", { field: name }), changes({ fields: noticed })),
    );
    expect(unanswered).toEqual([]);
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
  const request = (id: string, status: ChangeRequest["status"], name: string): ChangeRequest => ({
    changeRequestId: id,
    target: target("Business", { field: name }),
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
    const result = answerRequests(requests, field("website"), at);
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
