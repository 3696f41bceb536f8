import type { StatePaths } from "../lib/paths.ts";
import type { RunningPlatform } from "./platform.ts";

/** What somebody who has just started it wants to know. */
export function welcome({ baseUrl }: RunningPlatform, paths: StatePaths): string {
  return `
  Partner onboarding is running.

    API              ${baseUrl}/api
    Documentation    ${baseUrl}/docs
    OpenAPI          ${baseUrl}/api/openapi.json
    Demo accounts    ${paths.demoFile}
    Data and logs    ${paths.root}

  Try:

    npm run demo          a partner's first calls: token, customer, document
    npm run receiver      a webhook receiver; register it and watch events arrive
    npm run admin -- --help
    curl ${baseUrl}/readyz

  Ctrl-C stops everything.
`;
}
