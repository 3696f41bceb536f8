import { describe, expect, test } from "@jest/globals";
import { type Changes, NO_CHANGES } from "../../../services/profile/change/change-requests.rules.ts";
import {
  applyDocuments,
  applyPatch,
  applyPerson,
  applyReplace,
  type PeopleTools,
} from "../../../services/profile/change/profile-update.rules.ts";
import type { Person, PersonInput } from "../../../services/profile/record/profile.types.ts";
import { BUSINESS_FIELDS, type BusinessFields } from "../../../shared/contract/answers/customer.ts";
import {
  aDocumentSummary,
  anIdentity,
  aPersonInput,
  aStoredAddress,
  aStoredPerson,
  aStoredProfile,
} from "../../support/builders/stored-profile.ts";

const AT = "2030-01-01T00:00:00.000Z";
const EARLIER = "2029-01-01T00:00:00.000Z";
const FINANCIALS = {
  monthlyTurnOver: "UpTo15k",
  estimatedTransactionValue: "UpTo5k",
  sourceOfFunds: "Grants",
  purposeOfAccount: "Payroll",
};

/** Sealing keeps the number of an identity out of what is stored; opening gives it back. */
function setUp() {
  let made = 0;
  const numbers = new Map<string, Pick<PersonInput, "taxIdentificationNumber" | "identities">>();
  const tools: PeopleTools = {
    seal(input, uboId): Person {
      const { taxIdentificationNumber, identities, ...facts } = input;
      numbers.set(uboId, { taxIdentificationNumber, identities });
      return aStoredPerson(uboId, { ...facts, uboId, addedAt: AT });
    },
    open({ addedAt: _a, removedAt: _r, taxNumberLastFour: _t, sealedNumbers: _s, ...facts }) {
      const known = numbers.get(facts.uboId) ?? { taxIdentificationNumber: null, identities: [] };
      return { ...facts, ...known };
    },
    newId() {
      made += 1;
      return `new-${made}`;
    },
  };
  return tools;
}

const one = aStoredPerson("u1", { email: "one@x.example" });
const two = aStoredPerson("u2", { email: "two@x.example" });
const gone = aStoredPerson("u3", { email: "gone@x.example", removedAt: EARLIER });
const profile = aStoredProfile({ people: [one, two, gone], addresses: [aStoredAddress()] });
const input = (email: string, changes: Partial<PersonInput> = {}) => aPersonInput({ email, ...changes });
const business = Object.fromEntries(BUSINESS_FIELDS.map((name) => [name, profile[name]])) as BusinessFields;
const unnamed = { addresses: undefined, financials: undefined };
const replace = (people?: PersonInput[], more = {}) =>
  applyReplace(profile, { business, ...unnamed, people, ...more }, setUp(), AT);

describe("applyReplace: fields", () => {
  test("the same values: the very same profile, no changes", () => {
    const update = replace(undefined, { addresses: [aStoredAddress()] });
    expect(update.next).toBe(profile);
    expect(update.changes).toEqual(NO_CHANGES);
  });

  test("absent fields stay; different fields are named and stored", () => {
    const { next, changes } = replace(undefined, {
      business: { ...business, website: "https://new.example", tradingName: null },
      financials: FINANCIALS,
    });
    expect(next).toEqual({
      ...profile,
      website: "https://new.example",
      tradingName: null,
      financials: FINANCIALS,
    });
    expect(changes).toEqual({ ...NO_CHANGES, fields: ["tradingName", "website", "financials"] });
    expect(next.people).toBe(profile.people);
  });

  test("addresses are compared by value", () => {
    const addresses = [aStoredAddress({ city: "Abuja" })];
    const { next, changes } = replace(undefined, { addresses });
    expect([next.addresses, changes.fields]).toEqual([addresses, ["addresses"]]);
  });

  test("a new name changes the key it is searched by", () => {
    const { next, changes } = replace(undefined, { business: { ...business, companyName: "NEW Name" } });
    expect([next.companyName, next.companyNameKey, changes.fields]).toEqual([
      "NEW Name",
      "new name",
      ["companyName"],
    ]);
  });
});

describe("applyReplace: people", () => {
  test("the same people: nothing changed, those who were removed stay", () => {
    const update = replace([input("one@x.example"), input("two@x.example")]);
    expect(update.next).toBe(profile);
    expect(update.changes).toEqual(NO_CHANGES);
  });

  const sameOne = input("one@x.example");
  const sameTwo = input("two@x.example");
  const { lastFour: _, ...identity } = anIdentity();
  const ofU1 = (...fields: string[]) => ({ people: new Map([["u1", fields]]) });

  test.each<[string, PersonInput[], Partial<Changes>]>([
    [
      "matched by email in another case: the email is a change",
      [input("ONE@x.example"), sameTwo],
      ofU1("email"),
    ],
    [
      "matched by id before email: two people exchange their emails",
      [input("two@x.example", { uboId: "u1" }), input("one@x.example", { uboId: "u2", firstName: "Tunde" })],
      {
        people: new Map([
          ["u1", ["email"]],
          ["u2", ["firstName", "email"]],
        ]),
      },
    ],
    [
      "an id takes its person even when another entry names the email of that person first",
      [sameOne, input("new@x.example", { uboId: "u1" })],
      { ...ofU1("email"), addedUboIds: ["new-1"], removedUboIds: ["u2"] },
    ],
    [
      "a changed and a new person",
      [input("ONE@x.example"), sameTwo, input("three@x.example")],
      { ...ofU1("email"), addedUboIds: ["new-1"] },
    ],
    [
      "a removed person returns as a new person",
      [sameOne, sameTwo, input("gone@x.example", { uboId: "u3" })],
      { addedUboIds: ["new-1"] },
    ],
    ["an empty list: all people are removed", [], { removedUboIds: ["u1", "u2"] }],
    [
      "a changed number of an identity",
      [input("one@x.example", { identities: [{ ...identity, identityValue: "22123456789" }] }), sameTwo],
      ofU1("identities"),
    ],
  ])("%s", (_name, people, changes) => {
    expect(replace(people).changes).toEqual({ ...NO_CHANGES, fields: ["businessPersonList"], ...changes });
  });

  test("matched by an email that is stored in another case: keeps its id", () => {
    const stored = { ...profile, people: [aStoredPerson("u1", { email: "One@X.example" })] };
    const given = { business, ...unnamed, people: [input("one@x.example")] };
    const { changes } = applyReplace(stored, given, setUp(), AT);
    expect(changes.people).toEqual(new Map([["u1", ["email"]]]));
    expect([changes.addedUboIds, changes.removedUboIds]).toEqual([[], []]);
  });

  test("a person left out is removed now, a new one is added now, and a removed one keeps its time", () => {
    const { next, changes } = replace([input("two@x.example"), input("three@x.example")]);
    expect(changes).toEqual({
      ...NO_CHANGES,
      fields: ["businessPersonList"],
      addedUboIds: ["new-1"],
      removedUboIds: ["u1"],
    });
    expect(next.people.map(({ uboId, removedAt }) => [uboId, removedAt])).toEqual([
      ["u2", null],
      ["new-1", null],
      ["u1", AT],
      ["u3", EARLIER],
    ]);
    expect(next.people[0]).toBe(two);
  });

  test("fields and people: both are named", () => {
    const { changes } = replace([], { business: { ...business, industry: "Grants" } });
    expect(changes.fields).toEqual(["industry", "businessPersonList"]);
  });
});

describe("applyPatch", () => {
  const patch = (more = {}) =>
    applyPatch(profile, { business: {}, ...unnamed, newPeople: [], documentIds: [], ...more }, setUp());

  test("nothing: the very same profile", () => {
    expect(patch()).toEqual({ next: profile, changes: NO_CHANGES });
    expect(patch().next).toBe(profile);
  });

  test("given fields change, cleared ones too; the rest stays", () => {
    const { next, changes } = patch({
      business: { tradingName: null },
      addresses: [],
      financials: FINANCIALS,
    });
    expect(next).toEqual({ ...profile, tradingName: null, addresses: [], financials: FINANCIALS });
    expect(changes.fields).toEqual(["tradingName", "addresses", "financials"]);
  });

  test("new people follow the stored ones", () => {
    const { next, changes } = patch({ newPeople: [input("a@x.example"), input("b@x.example")] });
    expect(next.people.map(({ uboId, email: address }) => [uboId, address])).toEqual([
      ["u1", "one@x.example"],
      ["u2", "two@x.example"],
      ["u3", "gone@x.example"],
      ["new-1", "a@x.example"],
      ["new-2", "b@x.example"],
    ]);
    expect(changes).toEqual({
      ...NO_CHANGES,
      fields: ["businessPersonList"],
      addedUboIds: ["new-1", "new-2"],
    });
  });
});

describe("applyDocuments", () => {
  const known = aDocumentSummary({ documentId: "d1" });
  const update = { next: { ...profile, documents: [known] }, changes: NO_CHANGES };
  const fresh = aDocumentSummary({ documentId: "d2" });
  const awaiting = aDocumentSummary({ documentId: "d3", status: "AwaitingUpload", confirmedAt: null });

  test("none, or only what is known: the very same update", () => {
    expect(applyDocuments(update, [])).toBe(update);
    expect(applyDocuments(update, [{ ...known }])).toBe(update);
  });

  test("confirmed for the first time: stored, and reported as confirmed once", () => {
    const { next, changes } = applyDocuments(update, [known, fresh, fresh]);
    expect(next.documents).toEqual([known, fresh]);
    expect(changes.confirmed).toEqual([fresh]);
  });

  test("not confirmed: stored, not reported", () => {
    const { next, changes } = applyDocuments(update, [awaiting]);
    expect([next.documents, changes.confirmed]).toEqual([[known, awaiting], []]);
  });

  test("lost and found again: stored, not reported a second time", () => {
    const lost = { ...known, status: "Missing", reason: "Deleted" } as const;
    const { next, changes } = applyDocuments({ ...update, next: { ...profile, documents: [lost] } }, [known]);
    expect([next.documents, changes.confirmed]).toEqual([[known], []]);
  });
});

describe("applyPerson", () => {
  test("different people are stored under their id and day, and named; the others stay", () => {
    const tools = setUp();
    const { next, changes } = applyPerson(profile, one, { ...tools.open(one), lastName: "Corrected" }, tools);
    expect(next.people).toMatchObject([
      { uboId: "u1", lastName: "Corrected", addedAt: one.addedAt },
      two,
      gone,
    ]);
    expect(changes.people).toEqual(new Map([["u1", ["lastName"]]]));
  });

  test("the same person again: the very same profile", () => {
    const tools = setUp();
    const update = applyPerson(profile, one, tools.open(one), tools);
    expect(update).toEqual({ next: profile, changes: NO_CHANGES });
    expect(update.next).toBe(profile);
  });
});
