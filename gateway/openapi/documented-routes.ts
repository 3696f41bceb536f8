/** The route table with its documentation. */
import { actionRow } from "../../shared/contract/actions.ts";
import type { Route } from "../route.ts";
import { ROUTES, type RoutedAction, type Tag } from "../routes.ts";
import { apiCredentialDocs } from "./docs/api-credentials.ts";
import { businessProfileDocs } from "./docs/business-profiles.ts";
import { complianceDocs } from "./docs/compliance.ts";
import { documentDocs } from "./docs/documents.ts";
import { eventDocs } from "./docs/events.ts";
import { onboardingRuleDocs } from "./docs/onboarding-rules.ts";
import { sandboxDocs } from "./docs/sandbox.ts";
import { sessionDocs } from "./docs/session.ts";
import { teamDocs } from "./docs/team.ts";
import { tokenDocs } from "./docs/tokens.ts";
import { webhookDocs } from "./docs/webhooks.ts";
import type { RouteDoc } from "./route-doc.ts";

export type DocumentedRoute = Route & { tag: Tag; doc: RouteDoc };

const DOCS = {
  ...tokenDocs,
  ...businessProfileDocs,
  ...documentDocs,
  ...eventDocs,
  ...onboardingRuleDocs,
  ...sessionDocs,
  ...apiCredentialDocs,
  ...teamDocs,
  ...sandboxDocs,
  ...webhookDocs,
  ...complianceDocs,
  "profile.ping": {
    summary: "Check that the service answers",
    description: "The gateway asks the service behind it.",
    valueExample: { pong: true },
  },
} satisfies Record<RoutedAction, RouteDoc>;

export const DOCUMENTED_ROUTES: readonly DocumentedRoute[] = ROUTES.map((row) => ({
  ...row,
  doc: { value: actionRow(row.action)?.value, ...DOCS[row.action] },
}));

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ":");

/** To OpenAPI, paths that differ only in parameter names are one; the names of the first are used. */
const FIRST_OF_SHAPE = new Map(ROUTES.toReversed().map(({ path }) => [shapeOf(path), path]));
export const pathInDocument = (path: string): string => FIRST_OF_SHAPE.get(shapeOf(path)) ?? path;

/** As OpenAPI writes a path. */
export const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
