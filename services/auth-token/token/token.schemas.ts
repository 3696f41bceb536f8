/** The form of the token endpoint, for the API document. */
import type { ValidationSchema } from "../../../shared/input/validation.ts";
import { ASSERTION_TYPE } from "./token-request.rules.ts";

export const tokenForm: ValidationSchema = {
  grant_type: { type: "enum", values: ["client_credentials"] },
  client_assertion_type: { type: "enum", values: [ASSERTION_TYPE] },
  client_assertion: {
    type: "string",
    $$meta: { description: "a JWT signed RS256 with the key of a registered certificate" },
  },
  scope: {
    type: "string",
    optional: true,
    $$meta: { description: "partner.read, partner.write or both; all that the client has when left out" },
  },
  client_id: { type: "string", optional: true, $$meta: { description: "if given, the same as sub" } },
};
