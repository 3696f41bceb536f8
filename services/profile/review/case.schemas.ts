/** The bodies of the analysts' steps, as data. */

import type { ValidationSchema } from "fastest-validator";
import {
  DOCUMENT_CATEGORIES,
  IDENTITY_TYPES,
  REASON_CODES,
  TARGET_KINDS,
} from "../../../shared/contract/vocabularies.ts";
import { TARGET_FIELDS } from "../change/change-requests.rules.ts";

const MAX_ITEMS = 50;
const MAX_TEXT = 2000;

const text = {
  type: "string",
  pattern: /\S/,
  max: MAX_TEXT,
  messages: { stringPattern: "must not be blank" },
};
const reasonCode = { type: "string", enum: [...REASON_CODES], $$meta: { name: "ReasonCode" } };
export const documentCategory = {
  type: "string",
  enum: [...DOCUMENT_CATEGORIES],
  messages: { stringEnum: `must be one of ${DOCUMENT_CATEGORIES.join(", ")}` },
  $$meta: { name: "DocumentCategory" },
};

export const requestChangesSchema = {
  items: {
    type: "array",
    min: 1,
    max: MAX_ITEMS,
    items: {
      type: "object",
      props: {
        target: {
          type: "object",
          props: {
            kind: { type: "string", enum: [...TARGET_KINDS] },
            uboId: { type: "string", max: 36, optional: true },
            documentCategory: { ...documentCategory, optional: true },
            // The fields of all kinds; case-input.rules.ts checks that the field fits the kind.
            field: { type: "string", enum: [...TARGET_FIELDS.Document], optional: true },
            // Name one identity of the person; case-input.rules.ts checks that the person has it.
            identityTypeCode: { type: "string", enum: [...IDENTITY_TYPES], optional: true },
            issuingCountry: { type: "string", max: 3, optional: true },
          },
        },
        reasonCode,
        message: text,
      },
    },
  },
} as unknown as ValidationSchema;

export const approveSchema = {
  note: { type: "string", max: MAX_TEXT, optional: true },
} as unknown as ValidationSchema;

export const noteSchema = { text } as unknown as ValidationSchema;

export const rejectSchema = {
  reasons: {
    type: "array",
    min: 1,
    max: MAX_ITEMS,
    items: { type: "object", props: { code: reasonCode, message: text } },
  },
} as unknown as ValidationSchema;
