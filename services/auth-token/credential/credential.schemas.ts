/** The body that carries a certificate, for the API document. */
import type { ValidationSchema } from "../../../shared/input/validation.ts";

export const certificateBody: ValidationSchema = {
  certificate: {
    type: "string",
    empty: false,
    max: 16_384,
    $$meta: { description: "PEM text of one X.509 certificate with an RSA key of at least 2048 bits" },
  },
};
