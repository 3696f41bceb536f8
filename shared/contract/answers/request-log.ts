/** The request log of a partner's API client: no body, and no value of a field. */
import {
  type Answer,
  count,
  described,
  id,
  list,
  number,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";

const request = record({
  // UUID version 7: the id is the order.
  id,
  at: time,
  method: text,
  route: described(text, "as in the reference, without ids"),
  status: number,
  code: described(orNull(text), "of an error"),
  fields: described(list(text), "names of the fields at fault, never their values"),
  requestId: text,
  durationMs: count,
});
export type LoggedRequest = Answer<typeof request>;

export const requestLogValue = record({
  items: list(request),
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
