/** The sandbox of a partner. */
import { type Answer, described, flag, id, record, text, time } from "../answer-schema.ts";

export const sandboxValue = record({
  partnerId: described(id, "Of the test partner: its customers and events carry it."),
  name: text,
  clientId: described(text, "Of its API client, once a certificate is registered for it."),
  active: flag,
  createdAt: time,
});
export type SandboxView = Answer<typeof sandboxValue>;

export const sandboxExample = {
  partnerId: "8c6f2d1e-3b4a-4c5d-9e8f-0a1b2c3d4e5f",
  name: "Acme Trading Ltd (test)",
  clientId: "acme-trading-ltd-test-8c6f2d1e3b4a",
  active: true,
  createdAt: "2026-01-10T09:00:00.000Z",
};
