import { describe, expect, test } from "@jest/globals";
import {
  ALIAS_DEPRECATION,
  describeLink,
  holderOf,
  holderProblems,
  holderWarnings,
  isSuperseded,
  linkViolations,
  linkWarnings,
  newDocument,
  tooManyLinks,
  uploadHeaders,
} from "../../../services/document/link.rules.ts";
import { aDocument } from "../../support/builders/a-document.ts";

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

test("newDocument: the wanted size and hash are stored, or null", () => {
  const owner = { partnerId: "p", customerId: "c", uboId: null, requestId: "r", traceparent: "" };
  const body = { documentCategory: "Other", contentType: "image/png" } as const;
  const looks = { firstMs: 1_000, mostMs: 1_000 };
  const wanted = { sizeBytes: 7, sha256: "AB".repeat(32) };
  expect(newDocument(ID, { ...owner, body }, looks)).toMatchObject({
    wantedSizeBytes: null,
    wantedSha256: null,
  });
  expect(newDocument(ID, { ...owner, body: { ...body, ...wanted } }, looks)).toMatchObject({
    wantedSizeBytes: 7,
    wantedSha256: "ab".repeat(32),
  });
});

test("describeLink: answers what DECISIONS lists and nothing else", () => {
  const record = aDocument();
  expect(describeLink(record, "https://storage.example/x")).toEqual({
    documentId: record._id,
    uploadUrl: "https://storage.example/x",
    method: "PUT",
    headers: { "Content-Type": "application/pdf" },
    expiresAt: "2026-01-02T12:30:00.000Z",
    expiresInSeconds: 1_800,
    maxSizeBytes: 20_971_520,
    documentCategory: "BankStatement",
    contentType: "application/pdf",
    uboId: null,
  });
});

test.each([
  ["no other link", null, false],
  ["a link asked for before the upload ended", new Date(999), true],
  ["a link asked for at that moment", new Date(1_000), false],
  ["a link asked for later", new Date(1_001), false],
])("isSuperseded, upload ended at 1 s, %s: %s", (_, nextLinkAt, superseded) => {
  expect(isSuperseded(new Date(1_000), nextLinkAt)).toBe(superseded);
});

test("tooManyLinks: refuses the request, naming the bound", () => {
  expect(tooManyLinks()).toMatchObject({
    type: "ValidationControl.Error",
    code: 400,
    message: "The request for an upload link is not valid.",
    data: {
      details: [
        { field: "", code: "ValidationControl.Error", message: expect.stringContaining("2000 upload links") },
      ],
    },
  });
});

test("the headers of a link: what was named of the file is among them", () => {
  const sha256 = "00ff".repeat(16);
  expect(uploadHeaders({ contentType: "image/png", wantedSizeBytes: null, wantedSha256: null })).toEqual({
    "Content-Type": "image/png",
  });
  expect(uploadHeaders({ contentType: "image/png", wantedSizeBytes: 7, wantedSha256: sha256 })).toEqual({
    "Content-Type": "image/png",
    "Content-Length": "7",
    "x-amz-checksum-sha256": Buffer.from(sha256, "hex").toString("base64"),
  });
});

describe("holderWarnings", () => {
  const person = "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e";
  test.each([
    ["about the business, nobody named", { documentCategory: "BankStatement" }, []],
    ["about a person, who is named", { documentCategory: "Selfie", uboId: person }, []],
    ["about the business, with a person", { documentCategory: "BankStatement", uboId: person }, ["uboId"]],
    [
      "about the business, with a person by the old name",
      { documentCategory: "BankStatement", ownershipDetailId: person },
      ["ownershipDetailId"],
    ],
  ])("%s", (_, body, fields) => {
    expect(holderWarnings(body)).toEqual(
      fields.map((field) => ({
        field,
        code: "Document.NotForPerson",
        message: "names a person, and BankStatement is about the business",
      })),
    );
  });
});

test("since when the alias is deprecated: a date of RFC 9745, in the past", () => {
  expect(ALIAS_DEPRECATION).toMatch(/^@\d+$/);
  expect(Number(ALIAS_DEPRECATION.slice(1)) * 1_000).toBeLessThan(Date.UTC(2026, 0, 1));
});
