/** The upload-link call as data: its body is checked by it, and the description of the API is made from it. */
import {
  always,
  described,
  id,
  named,
  oneOf,
  orNull,
  record,
  text,
  time,
  uri,
} from "../../shared/contract/answer-schema.ts";
import {
  CONTENT_TYPES,
  DOCUMENT_CATEGORIES,
  PERSON_DOCUMENT_CATEGORIES,
} from "../../shared/contract/document-vocabulary.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";
import { MAX_SIZE_BYTES } from "./file/file.rules.ts";
import { LINK_SECONDS } from "./link.rules.ts";

const about = (description: string, more: object = {}) => ({ $$meta: { description, ...more } });
const personId = { type: "uuid", optional: true, nullable: true } as const;

export const uploadLinkBody: ValidationSchema = {
  documentCategory: {
    type: "enum",
    values: [...DOCUMENT_CATEGORIES],
    ...about(`${PERSON_DOCUMENT_CATEGORIES.join(", ")} are about a person and need uboId.`, {
      name: "DocumentCategory",
    }),
  },
  contentType: {
    type: "enum",
    values: [...CONTENT_TYPES],
    ...about("The upload must send exactly this Content-Type.", { name: "ContentType" }),
  },
  uboId: { ...personId, ...about("A person of this customer.") },
  sizeBytes: {
    type: "number",
    integer: true,
    min: 1,
    max: MAX_SIZE_BYTES,
    optional: true,
    nullable: true,
    ...about("The exact size of the file; the link then takes no other."),
  },
  sha256: {
    type: "string",
    pattern: "^[0-9a-fA-F]{64}$",
    optional: true,
    nullable: true,
    ...about("The SHA-256 of the file in hex; the link then takes no other file."),
  },
  ownershipDetailId: { ...personId, ...about("Use uboId.", { deprecated: true }) },
  fileName: { type: "any", optional: true, ...about("Ignored.", { deprecated: true }) },
};

export const uploadLinkValue = record({
  documentId: described(id, "What documentUploadId and businessDocumentIdList take."),
  uploadUrl: uri,
  method: always("PUT"),
  headers: {
    ...record({ "Content-Type": text }),
    properties: {
      "Content-Type": text,
      "Content-Length": described(text, "When sizeBytes was given. Most clients send it by themselves."),
      "x-amz-checksum-sha256": described(text, "When sha256 was given."),
    },
    description: "Send all of them, as they are: they are signed into the link.",
  },
  expiresAt: time,
  expiresInSeconds: always(LINK_SECONDS),
  maxSizeBytes: always(MAX_SIZE_BYTES),
  documentCategory: named("DocumentCategory", oneOf(DOCUMENT_CATEGORIES)),
  contentType: named("ContentType", oneOf(CONTENT_TYPES)),
  uboId: orNull(id),
});
