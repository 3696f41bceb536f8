/** The audit log. It never contains a secret, a text that a person wrote, or anything about a customer's people. */
import {
  type Answer,
  anyObject,
  described,
  id,
  list,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";

const facts = orNull(anyObject);
export type AuditFacts = Answer<typeof anyObject>;

const entry = record({
  // UUID version 7: the id is the order.
  id,
  at: time,
  service: text,
  who: record({
    kind: oneOf(["user", "analyst", "partner", "operator", "system"]),
    id: described(text, "Id of a person or an API client; an operator has none."),
    email: orNull(text),
  }),
  from: described(orNull(text), "IP address of the request; null for an operator's command."),
  requestId: described(text, "The caller's Svc-Request-Id, or ours."),
  serverRequestId: described(text, "Our own id of the request, which is unique."),
  action: described(text, "For example endpoint.replaced or member.invited."),
  // Null for a change that concerns no partner.
  partnerId: orNull(id),
  subject: described(text, "Id of the changed object."),
  before: described(facts, "Ids, states and settings, never a secret."),
  after: facts,
});
export type AuditEntry = Answer<typeof entry>;
export type AuditActor = AuditEntry["who"];
/** The part of an entry that the changing service gives; the rest comes from the request. */
export type AuditFact = Pick<AuditEntry, "action" | "partnerId" | "subject" | "before" | "after">;

export const auditValue = record({
  items: list(entry),
  nextCursor: described(orNull(text), "null on the last page."),
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
