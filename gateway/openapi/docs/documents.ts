/** Documentation of the upload link. */
import { uploadLinkBody } from "../../../services/document/document.schemas.ts";
import { uploadLinkValue } from "../../../shared/contract/answers/document.ts";
import { PERSON_DOCUMENT_CATEGORIES } from "../../../shared/contract/vocabularies.ts";
import type { DocsOf } from "../route-doc.ts";

export const documentDocs: DocsOf<"Documents"> = {
  "document.createUploadLink": {
    summary: "Get a link to upload a document",
    description: [
      "PUT the file to uploadUrl with the headers given, within 30 minutes; storage refuses another Content-Type, another address",
      "and a late upload. Nothing else is needed: an arriving file is checked (at most 20 MiB and 150 megapixels, not empty, a whole PDF, JPEG or PNG)",
      "and shows in the customer's documents as Confirmed, with the event business.document.confirmed, or as Rejected with the",
      "reason WrongType, TooLarge, Empty, Mismatch or Malware; it waits as AwaitingUpload while it cannot be scanned. After a rejection the same link takes another file until it ends.",
      "With sizeBytes or sha256 the link takes only that file: both are signed into it as headers, and storage refuses any other.",
      "A new link for the same person and category supersedes one that was not used yet: a file uploaded with the older one after",
      "that moment shows as Superseded and does not count. What is uploaded after the confirmation changes nothing. A confirmed file",
      "that was lost in storage shows as Missing, with the reason Deleted or Overwritten. fileName is ignored. A customer gets at most 2,000 links in all. Answers to ownershipDetailId carry a Deprecation header.",
    ].join("\n"),
    headers: ["Deprecation"],
    body: uploadLinkBody,
    bodyCondition: {
      if: {
        required: ["documentCategory"],
        properties: { documentCategory: { enum: [...PERSON_DOCUMENT_CATEGORIES] } },
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { anyOf: [{ required: ["uboId"] }, { required: ["ownershipDetailId"] }] },
    },
    bodyExample: {
      documentCategory: "CertificateOfIncorporation",
      contentType: "application/pdf",
      sizeBytes: 48_213,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    value: uploadLinkValue,
    valueExample: {
      documentId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      uploadUrl:
        "https://storage.example.com/documents/uploads/3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c/0190a5d3-1f0a-7c2b-8e4d-6a5b4c3d2e1f/business/0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e/CertificateOfIncorporation.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=1800",
      method: "PUT",
      headers: {
        "Content-Type": "application/pdf",
        "Content-Length": "48213",
        "x-amz-checksum-sha256": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
      },
      expiresAt: "2026-01-15T10:30:00.000Z",
      expiresInSeconds: 1_800,
      maxSizeBytes: 20_971_520,
      documentCategory: "CertificateOfIncorporation",
      contentType: "application/pdf",
      uboId: null,
    },
    errors: [
      "ValidationControl.Error",
      "Ubo.NotFound",
      "Partner.NotAuthorized",
      "Customer.NotFound",
      "Customer.Erased",
      "Customer.UnderReview",
      "Customer.VerificationClosed",
      "Service.Unavailable",
    ],
  },
};
