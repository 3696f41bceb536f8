/** Descriptions of the sections of the API document. */
import type { Tag } from "../../routes.ts";

export const TAG_WORDS: Record<Tag, string> = {
  Tokens: "Access tokens for signed client assertions, and the metadata for OAuth libraries.",
  "Business profiles": "Customers with their people: create, change, read, and follow the verification.",
  Documents: "Links to upload files directly to storage.",
  Events: "A feed of events for systems that no webhook can reach.",
  "Onboarding rules": "Requirements for people and businesses, by country.",
  Session: "Signing in and out of the dashboard, passwords and second factors.",
  "API credentials": "The API client of a partner, its certificates and its requests.",
  Team: "The people of a partner, their roles, and the audit log.",
  Sandbox: "A test partner with its own client and data.",
  Webhooks: "The webhook endpoint, its deliveries, and replays.",
  Compliance: "The analysts' queue, decisions, and identity rules of countries.",
  Health: "Whether the service answers.",
};
