/** Descriptions of the sections of the API document. */
import type { Tag } from "../../routes.ts";

export const TAG_WORDS: Record<Tag, string> = {
  Tokens: "An access token for a signed client assertion, and what a library needs to ask for one.",
  "Business profiles": "Customers with their people: create, change, read, and follow the verification.",
  Documents: "Links to upload files straight into storage.",
  Events: "What happened, for those who ask instead of being told by webhooks.",
  "Onboarding rules": "What is asked of people and businesses, country by country.",
  Session: "Signing in and out of the dashboard, passwords and second factors.",
  "API credentials": "The API client of a partner, its certificates and its requests.",
  Team: "The people of a partner, what they may do, and who did what.",
  Sandbox: "A test partner beside the live one, with its own client and data.",
  Webhooks: "Where events go, what was sent, and sending it again.",
  Compliance: "The analysts' queue, their steps, and the rules of countries.",
  Health: "Whether the service answers.",
};
