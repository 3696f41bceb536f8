/** Documentation of the upload link. */
import { uploadLinkBody } from "../../../services/document/document.schemas.ts";
import { PERSON_DOCUMENT_CATEGORIES } from "../../../shared/contract/vocabularies.ts";
import { type DocsOf, withField } from "../route-doc.ts";

export const documentDocs: DocsOf<"Documents"> = {
  "document.createUploadLink": {
    summary: "Get a link to upload a document",
    description: [
      "PUT the file to uploadUrl with exactly these headers, within 30 minutes. Storage refuses another Content-Type, another",
      "address and a late upload. The file is checked on arrival: a complete PDF, JPEG or PNG, at most 20 MiB and 150 megapixels.",
      "The customer's documents then show it as Confirmed, with the event business.document.confirmed. A refused file is Rejected",
      "with the reason WrongType, TooLarge, Empty, Mismatch or Malware, and the same link takes another file until it expires. While",
      "the malware scanner is unavailable, the document stays AwaitingUpload.",
      "",
      "With sizeBytes or sha256, the link takes only that file: storage refuses any other. A new link for the same person and",
      "category replaces an unused older link. A file that is uploaded by the older link afterwards is Superseded and does not count.",
      "Uploads after the confirmation change nothing. A confirmed file that was lost in storage is Missing, with the reason Deleted",
      "or Overwritten. fileName is ignored. A customer can have 2,000 links in total. The deprecated ownershipDetailId is answered",
      "with a Deprecation header.",
    ].join("\n"),
    headers: ["Deprecation"],
    body: uploadLinkBody,
    bodyCondition: {
      if: {
        required: ["documentCategory"],
        properties: { documentCategory: { enum: [...PERSON_DOCUMENT_CATEGORIES] } },
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { anyOf: [withField("uboId"), withField("ownershipDetailId")] },
    },
    bodyExample: {
      documentCategory: "CertificateOfIncorporation",
      contentType: "application/pdf",
      sizeBytes: 48_213,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
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
