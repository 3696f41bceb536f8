import { describe, expect, test } from "@jest/globals";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import {
  dispositionOf,
  fileNameOf,
  noSuchDocument,
  VIEW_SECONDS,
  viewEndsAt,
  viewRefusal,
} from "../../../services/document/view.rules.ts";
import { CONTENT_TYPES } from "../../../shared/contract/vocabularies.ts";
import { aDocument } from "../../support/builders/a-document.ts";

describe("a file that is looked at", () => {
  test("every type that can be uploaded is shown in place, nothing else is", () => {
    for (const type of CONTENT_TYPES) expect(dispositionOf(type)).toBe("inline");
    for (const type of [
      "text/html",
      "image/svg+xml",
      "application/xhtml+xml",
      "application/octet-stream",
      "",
    ])
      expect(dispositionOf(type)).toBe("attachment");
  });

  test("is called by its category and type, without a letter that ends a header", () => {
    expect(fileNameOf(aDocument())).toBe("BankStatement.pdf");
    expect(fileNameOf(aDocument())).toMatch(/^[A-Za-z]+\.[a-z]+$/);
  });

  test("for as long as the signature counts, in whole seconds", () => {
    expect(VIEW_SECONDS).toBe(60);
    expect(viewEndsAt(new Date("2026-01-02T12:00:00.987Z"))).toEqual(new Date("2026-01-02T12:01:00.000Z"));
  });

  test.each<[DocumentRecord["status"], string | undefined]>([
    ["Confirmed", undefined],
    ["AwaitingUpload", "Document.NotUploaded"],
    ["Expired", "Document.NotUploaded"],
    ["Superseded", "Document.NotUploaded"],
    ["Missing", "Document.NotUploaded"],
    ["Rejected", "Document.Rejected"],
  ])("%s", (status, code) => expect(viewRefusal({ status })?.type).toBe(code));

  test("the view names the fate of the file; an unknown document is not found", () => {
    expect(viewRefusal({ status: "Missing" })?.message).toContain("no longer in storage");
    expect(noSuchDocument()).toMatchObject({ type: "Document.NotFound", code: 404 });
  });
});
