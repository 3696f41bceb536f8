import { describe, expect, test } from "@jest/globals";
import {
  isConfirmed,
  missingDocuments,
  statusOfDocument,
  wasConfirmed,
  withDocument,
} from "../../../services/profile/record/documents.rules.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { aDocumentSummary, anIdentity, aStoredPerson } from "../../support/builders/stored-profile.ts";

type DocumentSummary = Profile["documents"][number];

const awaiting = aDocumentSummary({ status: "AwaitingUpload", uploadedAt: null, confirmedAt: null });
const confirmed = aDocumentSummary();
const lost = aDocumentSummary({ status: "Missing", reason: "Deleted" });

describe("statusOfDocument, wasConfirmed and isConfirmed", () => {
  test.each<[string, DocumentSummary[], string, boolean, boolean]>([
    ["unknown", [aDocumentSummary({ documentId: "d2" })], "Missing", false, false],
    ["awaited", [awaiting], "AwaitingUpload", false, false],
    ["confirmed", [confirmed], "Confirmed", true, true],
    ["confirmed next to another", [confirmed, { ...awaiting, documentId: "d2" }], "Confirmed", true, true],
    ["confirmed and lost", [lost], "Missing", true, false],
  ])("%s", (_name, documents, status, was, is) => {
    expect(statusOfDocument("d1", documents)).toBe(status);
    expect(wasConfirmed(documents, "d1")).toBe(was);
    expect(isConfirmed(documents, "d1")).toBe(is);
  });
});

describe("missingDocuments", () => {
  const found = (people: Parameters<typeof missingDocuments>[0]["people"]) =>
    missingDocuments({ people, documents: [confirmed, { ...awaiting, documentId: "d2" }] });

  test.each([
    ["names a confirmed file", anIdentity({ documentUploadId: "d1" }), null],
    ["names a file that is awaited", anIdentity({ documentUploadId: "d2" }), ["d2", "AwaitingUpload"]],
    ["names an unknown file", anIdentity({ documentUploadId: "d3" }), ["d3", "Missing"]],
    ["names no file and needs none", anIdentity(), null],
    ["names no file and needs one", anIdentity({ identityTypeCode: "OTHERS" }), [null, "Missing"]],
    [
      "needs a file that is confirmed",
      anIdentity({ identityTypeCode: "OTHERS", documentUploadId: "d1" }),
      null,
    ],
  ])("an identity that %s", (_name, identity, missing) => {
    const { identityTypeCode } = identity;
    expect(found([aStoredPerson("u1", { identities: [identity] })])).toEqual(
      missing ? [{ uboId: "u1", identityTypeCode, documentUploadId: missing[0], status: missing[1] }] : [],
    );
  });

  test("removed people miss no documents", () => {
    const identities = [anIdentity({ documentUploadId: "d3" })];
    expect(found([aStoredPerson("u1", { identities, removedAt: "2026-02-01T00:00:00.000Z" })])).toEqual([]);
  });
});

describe("withDocument", () => {
  const other = aDocumentSummary({ documentId: "d0" });
  const empty = { status: "Rejected", reason: "Empty" } as const;
  const uploadedAt = "2026-01-03T00:00:00.000Z";

  test("an unknown document is added at the end", () => {
    expect(withDocument([other], awaiting)).toEqual([other, awaiting]);
  });

  test.each<[string, DocumentSummary, DocumentSummary, boolean]>([
    ["the same again", awaiting, { ...awaiting }, false],
    ["confirmed", awaiting, confirmed, true],
    [
      "rejected for another reason",
      { ...awaiting, ...empty },
      { ...awaiting, ...empty, reason: "TooLarge" },
      true,
    ],
    ["uploaded at another time", awaiting, { ...awaiting, uploadedAt }, true],
    ["confirmed, then confirmed at another time", confirmed, { ...confirmed, uploadedAt }, false],
    ["confirmed, then lost", confirmed, lost, true],
    ["lost, then another way", lost, { ...lost, reason: "Overwritten" }, true],
    ["lost, then back", lost, confirmed, true],
    ["confirmed, then a late rejection", confirmed, { ...confirmed, ...empty }, false],
    ["confirmed, then a late expiry", confirmed, { ...confirmed, status: "Expired" }, false],
    ["lost, then a late rejection", lost, { ...confirmed, ...empty }, false],
  ])("%s", (_name, known, told, isNews) => {
    const documents = [other, known];
    const next = withDocument(documents, told);
    if (isNews) expect(next).toEqual([other, told]);
    else expect(next).toBe(documents);
  });
});
