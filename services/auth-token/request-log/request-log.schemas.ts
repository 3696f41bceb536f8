/** The request log as a partner's people read it, for the API document. */
import {
  count,
  described,
  id,
  list,
  number,
  orNull,
  record,
  text,
  time,
} from "../../../shared/contract/answer-schema.ts";
import type { ValidationSchema } from "../../../shared/input/validation.ts";

export const failedQuery: ValidationSchema = {
  failed: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    $$meta: { description: "Only requests that were refused or failed." },
  },
};

export const requestLogValue = record({
  items: list(
    record({
      id,
      at: time,
      method: text,
      route: described(text, "as in the reference, without ids"),
      status: number,
      code: described(orNull(text), "of an error"),
      fields: described(list(text), "names of the fields at fault, never their values"),
      requestId: text,
      durationMs: count,
    }),
  ),
  nextCursor: described(orNull(text), "null on the last page"),
  dropped: described(count, "requests of the last seven days that were too many to be kept"),
});

export const requestLogExample = {
  items: [
    {
      id: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      at: "2026-01-15T10:00:00.000Z",
      method: "POST",
      route: "/api/partner/v1/business-profiles",
      status: 400,
      code: "ValidationControl.Error",
      fields: ["businessPersonList[0].nationality"],
      requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
      durationMs: 12,
    },
  ],
  nextCursor: null,
  dropped: 0,
};
