import type { ValidationSchema } from "../../shared/validation.ts";

/** PEM text of one X.509 certificate with an RSA key of at least 2048 bits. */
export const certificateBody: ValidationSchema = {
  certificate: { type: "string", empty: false, max: 16_384 },
};
