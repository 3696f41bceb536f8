import { expect, test } from "@jest/globals";
import type { Deps } from "../../../services/document/deps.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { signViewLink } from "../../../services/document/sign-view-link.ts";
import { CONTENT_TYPES } from "../../../shared/contract/vocabularies.ts";
import { aDocument } from "../../support/builders/a-document.ts";

function signed(record: DocumentRecord) {
  const deps = {
    repository: { find: async () => record },
    storage: { describe: async () => ({ etag: record.etag }), signView: async () => "the link" },
    clock: { now: () => Date.parse("2026-01-02T12:00:00.987Z") },
  } as unknown as Deps;
  return signViewLink(deps, { customerId: record.customerId, documentId: record._id });
}

test.each<[string, string]>([
  ...CONTENT_TYPES.map((type): [string, string] => [type, "inline"]),
  ["text/html", "attachment"],
  ["image/svg+xml", "attachment"],
])("a file of %s is shown as %s, for a minute in whole seconds", async (contentType, disposition) => {
  const record = aDocument({ status: "Confirmed", contentType: contentType as never });
  expect(await signed(record)).toMatchObject({ disposition, expiresAt: "2026-01-02T12:01:00.000Z" });
});

test.each<[DocumentRecord["status"], string]>([
  ["AwaitingUpload", "There is no confirmed file"],
  ["Expired", "There is no confirmed file"],
  ["Superseded", "There is no confirmed file"],
  ["Missing", "no longer in storage"],
  ["Rejected", "was rejected"],
])("a document that is %s has no link", async (status, message) => {
  await expect(signed(aDocument({ status }))).rejects.toThrow(message);
});
