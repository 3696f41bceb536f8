import { expect, test } from "@jest/globals";
import { refusalError } from "../../../services/document/confirm.rules.ts";

test.each([
  [["Document.NotUploaded"], "Document.NotUploaded", 409],
  [["Document.NotUploaded", "Document.Rejected"], "Document.Rejected", 409],
  [["Document.Rejected", "Document.AccessDenied"], "Document.AccessDenied", 403],
  [["Document.AccessDenied", "Document.NotFound", "Document.AccessDenied"], "Document.NotFound", 400],
] as const)(
  "refusals %j: the call fails with %s, %i, and every one is in the details",
  (codes, type, status) => {
    const error = refusalError(codes.map((code, index) => ({ code, index })).toReversed());
    expect([error.type, error.code]).toEqual([type, status]);
    expect(error.data.details?.map(({ field, code }) => [field, code])).toEqual(
      codes.map((code, index) => [`businessDocumentIdList[${index}]`, code]),
    );
    expect(error.message.length).toBeGreaterThan(0);
    expect(error.data.details?.every(({ message }) => message.length > 0)).toBe(true);
  },
);
