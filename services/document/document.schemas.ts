/** The body of the upload-link call: the service checks it, the API document shows it. */

import { MAX_SIZE_BYTES } from "../../shared/contract/answers/document.ts";
import {
  CONTENT_TYPES,
  DOCUMENT_CATEGORIES,
  PERSON_DOCUMENT_CATEGORIES,
} from "../../shared/contract/vocabularies.ts";
import { about, type ValidationSchema } from "../../shared/input/validation.ts";

const personId = { type: "uuid", optional: true, nullable: true } as const;

export const uploadLinkBody: ValidationSchema = {
  documentCategory: {
    type: "enum",
    values: [...DOCUMENT_CATEGORIES],
    ...about(`${PERSON_DOCUMENT_CATEGORIES.join(", ")} belong to a person and need uboId.`, {
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
    ...about("The exact size of the file. The link then takes no other size."),
  },
  sha256: {
    type: "string",
    pattern: "^[0-9a-fA-F]{64}$",
    optional: true,
    nullable: true,
    ...about("The SHA-256 of the file in hex. The link then takes no other file."),
  },
  ownershipDetailId: { ...personId, ...about("Use uboId.", { deprecated: true }) },
  fileName: { type: "any", optional: true, ...about("Ignored.", { deprecated: true }) },
};
