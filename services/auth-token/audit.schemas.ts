/** The audit trail as an Owner reads it, for the API document. */
import {
  described,
  id,
  list,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../../shared/contract/answer-schema.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../shared/input/query-reader.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";

const about = (description: string) => ({ $$meta: { description } });

/** Of lists that only grow at their beginning. */
export const newestFirstQuery: ValidationSchema = {
  cursor: { type: "string", optional: true, ...about("nextCursor of the page before; absent begins.") },
  pageSize: {
    type: "number",
    integer: true,
    min: 1,
    max: MAX_PAGE_SIZE,
    optional: true,
    ...about(`Entries on a page; ${DEFAULT_PAGE_SIZE} unless given.`),
  },
};

const facts = orNull({ type: "object" });

export const auditValue = record({
  items: list(
    record({
      id,
      at: time,
      service: text,
      who: record({
        kind: oneOf(["user", "analyst", "partner", "operator", "system"]),
        id: described(text, "of a person or an API client; operators have no name here"),
        email: orNull(text),
      }),
      from: described(orNull(text), "the address of the request; null for an operator's command"),
      requestId: described(text, "as the caller gave it, else ours"),
      serverRequestId: described(text, "made by us for each request, so that it names one request only"),
      action: described(text, "such as endpoint.replaced or member.invited"),
      partnerId: orNull(id),
      subject: described(text, "id of what was changed"),
      before: described(facts, "ids, states and settings; never a secret"),
      after: facts,
    }),
  ),
  nextCursor: described(orNull(text), "null on the last page"),
});

export const auditExample = {
  items: [
    {
      id: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      at: "2026-01-15T10:00:00.000Z",
      service: "auth-token",
      who: { kind: "user", id: "7b1d2c3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e", email: "owner@acme.example" },
      from: "203.0.113.7",
      requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
      serverRequestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
      action: "member.role_changed",
      partnerId: "3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c",
      subject: "2c3e7b1d-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
      before: { role: "Viewer" },
      after: { role: "Developer" },
    },
  ],
  nextCursor: null,
};
