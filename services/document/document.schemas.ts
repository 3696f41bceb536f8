/** The upload-link call as data: its body is checked by it, and the description of the API is made from it. */
import type { ValidationSchema } from "../../shared/validation.ts";
import { CONTENT_TYPES, DOCUMENT_CATEGORIES, PERSON_CATEGORIES } from "./document.rules.ts";

const described = (description: string, deprecated = false) => ({ $$meta: { description, deprecated } });
const personId = { type: "uuid", optional: true, nullable: true } as const;

export const uploadLinkBody: ValidationSchema = {
  documentCategory: {
    type: "enum",
    values: [...DOCUMENT_CATEGORIES],
    ...described(`${PERSON_CATEGORIES.join(", ")} are about a person and need uboId.`),
  },
  contentType: {
    type: "enum",
    values: [...CONTENT_TYPES],
    ...described("The upload must send exactly this Content-Type."),
  },
  uboId: { ...personId, ...described("A person of this customer.") },
  ownershipDetailId: { ...personId, ...described("Use uboId.", true) },
};

const text = { type: "string" };

export const uploadLinkValue = {
  type: "object",
  required: [
    "documentId",
    "uploadUrl",
    "method",
    "headers",
    "expiresAt",
    "expiresInSeconds",
    "maxSizeBytes",
    "documentCategory",
    "contentType",
    "uboId",
  ],
  properties: {
    documentId: {
      ...text,
      format: "uuid",
      description: "What documentUploadId and businessDocumentIdList take.",
    },
    uploadUrl: { ...text, format: "uri" },
    method: { const: "PUT" },
    headers: { type: "object", required: ["Content-Type"], properties: { "Content-Type": text } },
    expiresAt: { ...text, format: "date-time" },
    expiresInSeconds: { const: 1_800 },
    maxSizeBytes: { const: 20_971_520 },
    documentCategory: { ...text, enum: [...DOCUMENT_CATEGORIES] },
    contentType: { ...text, enum: [...CONTENT_TYPES] },
    uboId: { anyOf: [{ ...text, format: "uuid" }, { type: "null" }] },
  },
};
