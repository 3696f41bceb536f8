/** Audiences of the API documents: a partner's engineer does not need the routes of signed-in people. */
import type { Route } from "../route.ts";

export const AUDIENCES = {
  partner: {
    title: "Partner Business Onboarding",
    description:
      "Create business customers with their people in one call, upload documents, follow the verification, receive signed webhooks.",
    hasWebhooks: true,
  },
  dashboard: {
    title: "Partner Business Onboarding: dashboard and analysts",
    description:
      "For signed-in people: webhooks, API credentials and the team of a partner, and the reviews of analysts.",
    hasWebhooks: false,
  },
} as const;

export type Audience = keyof typeof AUDIENCES;

const hasSession = ({ auth, envelope }: Pick<Route, "auth" | "envelope">): boolean =>
  auth === "none" ? envelope === "dashboard" : auth !== "partner";

export const audienceOf = (route: Pick<Route, "auth" | "envelope">): Audience =>
  hasSession(route) ? "dashboard" : "partner";
