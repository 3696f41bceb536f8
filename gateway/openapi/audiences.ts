/** Who reads which API document: a partner's engineer has no use for the routes of people who sign in. */
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
      "What signed-in people do: webhooks, API credentials and the team of a partner, and the reviews of analysts.",
    hasWebhooks: false,
  },
} as const;

export type Audience = keyof typeof AUDIENCES;

const hasSession = ({ auth, envelope }: Pick<Route, "auth" | "envelope">): boolean =>
  auth === "none" ? envelope === "dashboard" : auth !== "partner";

export const audienceOf = (route: Pick<Route, "auth" | "envelope">): Audience =>
  hasSession(route) ? "dashboard" : "partner";
