/** The query of the request log, for the API document. */
import type { ValidationSchema } from "../../../shared/input/validation.ts";

export const failedQuery: ValidationSchema = {
  failed: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    $$meta: { description: "Only requests that were refused or failed." },
  },
};
