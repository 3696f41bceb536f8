import type { ValidationSchema } from "../../shared/validation.ts";

/** For the API document; the URL itself is judged by shared/webhook-url.ts, which has its own error codes. */
export const endpointBody: ValidationSchema = {
  url: { type: "string", max: 2_048 },
};
