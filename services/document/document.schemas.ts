/** Request bodies, as data: the gateway's description of the API is made from them. */
import type { ValidationSchema } from "../../shared/validation.ts";
import { CONTENT_TYPES, DOCUMENT_CATEGORIES } from "./document.rules.ts";

const personId = { type: "uuid", optional: true, nullable: true } as const;

export const uploadLinkBody: ValidationSchema = {
  documentCategory: { type: "enum", values: [...DOCUMENT_CATEGORIES] },
  contentType: { type: "enum", values: [...CONTENT_TYPES] },
  uboId: personId,
  /** Deprecated name of uboId. */
  ownershipDetailId: personId,
};
