import { describe, expect, test } from "@jest/globals";
import {
  readNote,
  readNoteText,
  readReasons,
  readRequestedChanges,
} from "../../../services/profile/review/case-input.rules.ts";
import { anIdentity, aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

const identities = [anIdentity({ identityTypeCode: "PASSPORT" }), anIdentity()];
const profile = aStoredProfile({
  people: [
    aStoredPerson("u1", { identities }),
    aStoredPerson("u2", { removedAt: "2026-02-01T00:00:00.000Z" }),
  ],
});
const CONTROL = "ValidationControl.Error";
const UNSTORABLE = "a text holds a NUL or an incomplete Unicode character";

/** Every fault as "field: message", or what was read. */
function told(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const { type, data } = error as { type: string; data: { details: { field: string; code: string }[] } };
    expect(type).toBe(CONTROL);
    expect(new Set(data.details.map(({ code }) => code))).toEqual(new Set([CONTROL]));
    return data.details.map(({ field }) => field);
  }
}

function detailsOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as { data: { details: unknown } }).data.details;
  }
}

describe("readRequestedChanges", () => {
  const item = (target: object, more = {}) => ({ target, reasonCode: "Other", message: "please", ...more });
  const read = (...items: unknown[]) => told(() => readRequestedChanges({ items }, profile));
  const business = { kind: "Business" };
  const proof = { kind: "Document" };

  test("missing parts of a target are null; ids become lower case, unknown parts are dropped", () => {
    const items = [
      item({ kind: "Business" }),
      item({ kind: "Person", uboId: "U1", field: "email", other: 1 }),
      item({ kind: "Document", uboId: null, documentCategory: "Selfie", field: null }, { other: 1 }),
    ];
    const none = { uboId: null, documentCategory: null, field: null };
    expect(read(...items)).toEqual([
      item({ ...none, kind: "Business" }),
      item({ ...none, kind: "Person", uboId: "u1", field: "email" }),
      item({ ...none, kind: "Document", documentCategory: "Selfie" }),
    ]);
  });

  test("identities of a person are distinguished by type and country", () => {
    const passport = { kind: "Identity", uboId: "U1", identityTypeCode: "PASSPORT" };
    expect(read(item(passport), item({ ...passport, issuingCountry: "NGA" }))).toMatchObject([
      { target: { uboId: "u1", identityTypeCode: "PASSPORT" } },
      { target: { uboId: "u1", identityTypeCode: "PASSPORT", issuingCountry: "NGA" } },
    ]);
  });

  test.each([
    ["a type the person has not", { identityTypeCode: "BVN" }, "identityTypeCode", "is not an identity of"],
    [
      "the type in another country",
      { identityTypeCode: "PASSPORT", issuingCountry: "GBR" },
      "identityTypeCode",
      "is not an identity of",
    ],
    ["an unknown type", { identityTypeCode: "SHOE_SIZE" }, "identityTypeCode", ""],
    ["a country without a type", { issuingCountry: "NGA" }, "issuingCountry", "needs identityTypeCode"],
    ["no person", { uboId: null, identityTypeCode: "PASSPORT" }, "identityTypeCode", "needs the uboId"],
    [
      "another kind",
      { kind: "Person", identityTypeCode: "PASSPORT" },
      "identityTypeCode",
      "is only for kind",
    ],
  ])("an identity with %s: refused", (_name, more, field, words) => {
    const items = [item({ kind: "Identity", uboId: "u1", ...more })];
    expect(read(...items)).toEqual([`items[0].target.${field}`]);
    expect(JSON.stringify(detailsOf(() => readRequestedChanges({ items }, profile)))).toContain(words);
  });

  test.each<[string, unknown[], string[]]>([
    ["no person of this customer", [item({ kind: "Person", uboId: "u9" })], ["items[0].target.uboId"]],
    ["a person who was removed", [item({ kind: "Person", uboId: "u2" })], ["items[0].target.uboId"]],
    ["an empty uboId", [item({ kind: "Person", uboId: "" })], ["items[0].target.uboId"]],
    [
      "several faults",
      [item({ kind: "Person" }), item({ kind: "Person", uboId: "u9", field: "website" })],
      ["items[1].target.uboId", "items[1].target.field"],
    ],
    ["nothing", [], ["items"]],
    ["51 of them", Array(51).fill(item(business)), ["items"]],
    ["an unknown kind", [item({ kind: "Thing" })], ["items[0].target.kind"]],
    [
      "an unknown category",
      [item({ ...proof, documentCategory: "Nope" })],
      ["items[0].target.documentCategory"],
    ],
    ["an empty category", [item({ ...proof, documentCategory: "" })], ["items[0].target.documentCategory"]],
    ["an unknown reason", [item(business, { reasonCode: "x" })], ["items[0].reasonCode"]],
    ["a blank message", [item(business, { message: " " })], ["items[0].message"]],
    ["a message of 2001 characters", [item(business, { message: "x".repeat(2001) })], ["items[0].message"]],
    ["a message that cannot be stored", [item(business, { message: "x\0" })], [""]],
  ])("%s: refused", (_name, items, fields) => expect(read(...items)).toEqual(fields));

  test.each([
    ["Business", "firstName"],
    ["Business", "partnerCustomerId"],
    ["Business", "secret"],
    ["Business", ""],
    ["Person", "website"],
    ["Person", "identityValue"],
    ["Identity", "firstName"],
    ["Document", "secret"],
  ])("for %s the field %j: refused", (kind, field) => {
    expect(read(item({ kind, field }))).toEqual(["items[0].target.field"]);
  });

  test.each([
    ["Business", "firstName", "companyName"],
    ["Person", "website", "firstName"],
    ["Identity", "website", "identityValue"],
  ])("a field that does not fit %s: the message names those that do", (kind, field, fitting) => {
    const run = () => readRequestedChanges({ items: [item({ kind, field })] }, profile);
    expect(run).toThrow(new RegExp(`must, for ${kind}, be one of .*\\b${fitting}\\b`));
  });

  test("a document may be asked for to prove any field", () => {
    const given = ["website", "firstName", "identityValue"].map((field) => item({ kind: "Document", field }));
    expect(read(...given)).toHaveLength(3);
    expect(read(...given)).toMatchObject([{ target: { field: "website" } }, {}, {}]);
  });

  test.each([[null], [undefined], [[]], ["x"]])("the body %j: refused", (body) => {
    expect(told(() => readRequestedChanges(body, profile))).toEqual([""]);
  });
});

describe("readNote", () => {
  test.each([
    [undefined, null],
    [null, null],
    [{}, null],
    [{ note: null }, null],
    [{ note: "fine", other: 1 }, "fine"],
    [{ note: "x".repeat(2000) }, "x".repeat(2000)],
  ])("of %j", (body, note) => expect(readNote(body)).toBe(note));

  test.each([
    [{ note: 7 }, ["note"]],
    [{ note: "x".repeat(2001) }, ["note"]],
    ["text", [""]],
    [[], [""]],
    [{ note: "\ud800" }, [""]],
  ])("of %j: refused", (body, fields) => expect(told(() => readNote(body))).toEqual(fields));
});

test("readNoteText: a text, and nothing without one", () => {
  expect(readNoteText({ text: "seen", other: 1 })).toBe("seen");
  for (const body of [undefined, {}, { text: "" }, { text: 7 }])
    expect(told(() => readNoteText(body))).toEqual([body ? "text" : ""]);
});

describe("readReasons", () => {
  test("takes over code and message of each, and nothing else", () => {
    const reasons = [
      { code: "Risk.PolicyDecision", message: "no", other: 1 },
      { code: "Other", message: "never" },
    ];
    expect(readReasons({ reasons })).toEqual([
      { code: "Risk.PolicyDecision", message: "no" },
      { code: "Other", message: "never" },
    ]);
  });

  test.each([
    [undefined, [""]],
    [{}, ["reasons"]],
    [{ reasons: [] }, ["reasons"]],
    [{ reasons: [{ code: "x", message: "y" }] }, ["reasons[0].code"]],
    [{ reasons: [{ code: "Other", message: "" }] }, ["reasons[0].message"]],
  ])("of %j: refused", (body, fields) => expect(told(() => readReasons(body))).toEqual(fields));

  test("a text that cannot be stored, in any field: refused, and not repeated", () => {
    const body = { reasons: [{ code: "Other", message: "y" }], other: { deep: ["\0"] } };
    expect(() => readReasons(body)).toThrow(UNSTORABLE);
  });
});
