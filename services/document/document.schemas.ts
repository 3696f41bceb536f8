/** The upload-link call as data: its body is checked by it, and the description of the API is made from it. */
import { always, described, id, oneOf, orNull, record, text, time, uri } from "../../shared/answer-schema.ts";
import {
  CONTENT_TYPES,
  DOCUMENT_CATEGORIES,
  PERSON_DOCUMENT_CATEGORIES,
} from "../../shared/document-vocabulary.rules.ts";
import type { ValidationSchema } from "../../shared/validation.ts";
import { MAX_SIZE_BYTES } from "./file.rules.ts";
import { LINK_SECONDS } from "./link.rules.ts";

const about = (description: string, deprecated = false) => ({ $$meta: { description, deprecated } });
const personId = { type: "uuid", optional: true, nullable: true } as const;

export const uploadLinkBody: ValidationSchema = {
  documentCategory: {
    type: "enum",
    values: [...DOCUMENT_CATEGORIES],
    ...about(`${PERSON_DOCUMENT_CATEGORIES.join(", ")} are about a person and need uboId.`),
  },
  contentType: {
    type: "enum",
    values: [...CONTENT_TYPES],
    ...about("The upload must send exactly this Content-Type."),
  },
  uboId: { ...personId, ...about("A person of this customer.") },
  ownershipDetailId: { ...personId, ...about("Use uboId.", true) },
};

export const uploadLinkValue = record({
  documentId: described(id, "What documentUploadId and businessDocumentIdList take."),
  uploadUrl: uri,
  method: always("PUT"),
  headers: record({ "Content-Type": text }),
  expiresAt: time,
  expiresInSeconds: always(LINK_SECONDS),
  maxSizeBytes: always(MAX_SIZE_BYTES),
  documentCategory: oneOf(DOCUMENT_CATEGORIES),
  contentType: oneOf(CONTENT_TYPES),
  uboId: orNull(id),
});
