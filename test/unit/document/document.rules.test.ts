import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  copyKey,
  documentIdOf,
  fileKey,
  foldersOf,
  isPersonCategory,
  objectKey,
  partnerIdOf,
  summaryOf,
} from "../../../services/document/document.rules.ts";
import { CONTENT_TYPES, DOCUMENT_CATEGORIES } from "../../../shared/contract/vocabularies.ts";
import { aDocument } from "../../support/builders/a-document.ts";

describe("objectKey", () => {
  test.each([
    ["application/pdf", "Other.pdf"],
    ["image/jpeg", "Other.jpg"],
    ["image/png", "Other.png"],
  ] as const)(
    "of %s it ends with %s; a copy is outside of the uploads, with the same ending",
    (contentType, name) => {
      const slot = { partnerId: "p", customerId: "c", uboId: null, documentId: "d", contentType };
      const key = objectKey({ ...slot, documentCategory: "Other" });
      expect(key).toBe(`uploads/p/c/business/d/${name}`);
      expect(foldersOf(key)).toEqual(["uploads/p/c/business/d/", "p/c/business/d/"]);
      expect(copyKey(key, "copy")).toBe(`p/c/business/d/${name.replace("Other", "copy")}`);
    },
  );

  test("every key leads back to its tenant and document and needs no escape", () => {
    const parts = fc.record({
      partnerId: fc.uuid(),
      customerId: fc.uuid(),
      uboId: fc.option(fc.uuid()),
      documentId: fc.uuid(),
      documentCategory: fc.constantFrom(...DOCUMENT_CATEGORIES),
      contentType: fc.constantFrom(...CONTENT_TYPES),
    });
    fc.assert(
      fc.property(parts, (given) => {
        const key = objectKey(given);
        const copy = copyKey(key, given.customerId);
        expect(key).toBe(`uploads/${copy.replace(/[^/]+$/, "")}${key.split("/").at(-1)}`);
        for (const each of [key, copy]) {
          expect(documentIdOf(each)).toBe(given.documentId);
          expect(partnerIdOf(each)).toBe(given.partnerId);
        }
        expect(key).toMatch(/^[A-Za-z0-9./-]+$/);
      }),
    );
  });
});

test.each([
  "",
  "x",
  "a/b/c/d/e",
  "p/c/business/not-an-id/Other.pdf",
  "uploads/p/c/business/not-an-id/Other.pdf",
  "p/c/business/01890a5d-ac96-774b-bcce-b302099a8057",
  "p/c/business/01890a5d-ac96-774b-bcce-b302099a8057/",
  "p/c/business/01890a5d-ac96-774b-bcce-b302099a8057/Other.pdf/more",
])("documentIdOf(%j): is none of ours", (key) => {
  expect(documentIdOf(key)).toBeNull();
});

test("fileKey: the copy of a confirmed document, and the upload before", () => {
  const upload = aDocument();
  expect(fileKey(upload)).toBe(upload.objectKey);
  expect(fileKey({ ...upload, confirmedKey: "p/c/business/d/copy.pdf" })).toBe("p/c/business/d/copy.pdf");
});

test("isPersonCategory: five categories belong to a person", () => {
  expect(DOCUMENT_CATEGORIES.filter(isPersonCategory)).toEqual([
    "IdentityFront",
    "IdentityBack",
    "ProofOfAddress",
    "Selfie",
    "SourceOfWealthProof",
  ]);
});

test("summaryOf: shows exactly the fields of a document in reads; an unused link has no times", () => {
  const unused = { status: "Expired", uploadedAt: null, confirmedAt: null };
  expect(summaryOf(aDocument({ status: "Expired" }))).toMatchObject(unused);
  const record = aDocument({
    status: "Confirmed",
    sizeBytes: 12,
    sha256: "ab",
    etag: "e",
    uploadedAt: new Date("2026-01-02T03:04:05.000Z"),
    confirmedAt: new Date("2026-01-02T03:04:06.007Z"),
  });
  expect(summaryOf(record)).toEqual({
    documentId: record._id,
    documentCategory: "BankStatement",
    contentType: "application/pdf",
    sizeBytes: 12,
    uboId: null,
    status: "Confirmed",
    reason: null,
    uploadedAt: "2026-01-02T03:04:05.000Z",
    confirmedAt: "2026-01-02T03:04:06.007Z",
  });
});
