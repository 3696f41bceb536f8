/** The body of a simulated review, and the names that decide by themselves, as data. */
import type { ValidationSchema } from "fastest-validator";
import { requestChangesExample } from "../read/examples.schemas.ts";
import { documentCategory, rejectSchema, requestChangesSchema } from "./case.schemas.ts";

const SIMULATED_OUTCOMES = ["Approved", "Rejected", "ChangesRequested"] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

/** Company names of a test partner, in any case. */
export const SELF_DECIDING_NAMES = {
  "Sandbox Approved": "Approved",
  "Sandbox Rejected": "Rejected",
  "Sandbox Changes Requested": "ChangesRequested",
} as const satisfies Record<string, SimulatedOutcome>;

const MAX_DOCUMENTS = 50;
const REASONS = ["WrongType", "TooLarge", "Empty", "Mismatch", "Malware"];

const oneOf = (values: readonly string[]) => ({
  type: "string",
  enum: [...values],
  messages: { stringEnum: `must be one of ${values.join(", ")}` },
});
const optional = (rule: unknown) => ({ ...(rule as object), optional: true });

export const simulateSchema = {
  outcome: optional(oneOf(SIMULATED_OUTCOMES)),
  reasons: optional((rejectSchema as Record<string, unknown>).reasons),
  items: optional((requestChangesSchema as Record<string, unknown>).items),
  documents: {
    type: "array",
    max: MAX_DOCUMENTS,
    optional: true,
    items: {
      type: "object",
      props: {
        documentCategory,
        uboId: { type: "string", max: 36, optional: true },
        status: oneOf(["Confirmed", "Rejected"]),
        reason: optional(oneOf(REASONS)),
      },
    },
  },
} as unknown as ValidationSchema;

export const simulateExample = { outcome: "ChangesRequested", ...requestChangesExample };
