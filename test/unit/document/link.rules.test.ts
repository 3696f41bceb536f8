import { describe, expect, test } from "@jest/globals";
import {
  ALIAS_DEPRECATION,
  holderOf,
  holderProblems,
  holderWarnings,
  isSuperseded,
  linkViolations,
  linkWarnings,
  newDocument,
  uploadHeaders,
} from "../../../services/document/link.rules.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const OTHER = "01890a5d-ac96-774b-bcce-b302099a8058";

describe("the person a file is about", () => {
  test.each([
    [{}, null, []],
    [{ uboId: null, ownershipDetailId: null }, null, []],
    [{ uboId: ID }, ID, []],
    [{ ownershipDetailId: ID }, ID, []],
    [{ uboId: null, ownershipDetailId: ID }, ID, []],
    [{ uboId: ID, ownershipDetailId: ID }, ID, []],
    [{ uboId: ID, ownershipDetailId: ID.toUpperCase() }, ID, []],
    [{ uboId: ID, ownershipDetailId: OTHER }, ID, ["ownershipDetailId"]],
    [{ documentCategory: "Selfie" }, null, ["uboId"]],
    [{ documentCategory: "Selfie", uboId: ID }, ID, []],
    [{ documentCategory: "Selfie", ownershipDetailId: ID }, ID, []],
    [{ documentCategory: "Other", uboId: ID }, ID, []],
  ])("%j: is %s, with problems in %j", (body, holder, fields) => {
    expect(holderOf(body)).toBe(holder);
    const problems = holderProblems(body);
    expect(problems.map(({ field }) => field)).toEqual(fields);
    for (const { code, message } of problems)
      expect([code, message]).toEqual(["ValidationControl.Error", expect.stringMatching(/^(must|is) /)]);
  });
});

test("a body that is no object has violations and no warnings", () => {
  expect(linkViolations(7)).not.toEqual([]);
  expect(linkWarnings(7)).toEqual([]);
});

test("a body has the violations of its fields and of its person, each field once", () => {
  const body = { documentCategory: "Selfie", contentType: "text/plain", colour: 1 };
  expect(linkViolations(body).map(({ field }) => field)).toEqual(["contentType", "uboId"]);
  expect(linkWarnings(body).map(({ field }) => field)).toEqual(["colour"]);
});

test.each([
  [{}, { wantedSizeBytes: null, wantedSha256: null }, {}],
  [
    { sizeBytes: 7, sha256: "00FF".repeat(16) },
    { wantedSizeBytes: 7, wantedSha256: "00ff".repeat(16) },
    {
      "Content-Length": "7",
      "x-amz-checksum-sha256": Buffer.from("00ff".repeat(16), "hex").toString("base64"),
    },
  ],
])(
  "newDocument: wanted of the file is %j; the record and the headers of the link have it",
  (wanted, stored, headers) => {
    const owner = { partnerId: "p", customerId: "c", uboId: null, requestId: "r", traceparent: "" };
    const body = { documentCategory: "Other", contentType: "image/png", ...wanted } as const;
    const record = newDocument(ID, { ...owner, body }, { firstMs: 1_000, mostMs: 1_000 });
    expect(record).toMatchObject(stored);
    expect(uploadHeaders(record)).toEqual({ "Content-Type": "image/png", ...headers });
  },
);

test.each([
  ["no other link", null, false],
  ["a link asked for before the upload ended", new Date(999), true],
  ["a link asked for at that moment", new Date(1_000), false],
  ["a link asked for later", new Date(1_001), false],
])("isSuperseded, upload ended at 1 s, %s: %s", (_, nextLinkAt, superseded) => {
  expect(isSuperseded(new Date(1_000), nextLinkAt)).toBe(superseded);
});

test.each([
  ["BankStatement", {}, []],
  ["Selfie", { uboId: ID }, []],
  ["BankStatement", { uboId: ID }, ["uboId"]],
  ["BankStatement", { ownershipDetailId: ID }, ["ownershipDetailId"]],
])("holderWarnings of a %s for %j: names %j", (documentCategory, person, fields) => {
  const message = "names a person, and BankStatement is about the business";
  expect(holderWarnings({ documentCategory, ...person })).toEqual(
    fields.map((field) => ({ field, code: "Document.NotForPerson", message })),
  );
});

test("since when the alias is deprecated: a date of RFC 9745, in the past", () => {
  expect(ALIAS_DEPRECATION).toMatch(/^@\d+$/);
  expect(Number(ALIAS_DEPRECATION.slice(1)) * 1_000).toBeLessThan(Date.UTC(2026, 0, 1));
});
