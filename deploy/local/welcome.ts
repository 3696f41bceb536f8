import type { StatePaths } from "./paths.ts";
import type { RunningPlatform } from "./platform.ts";

/** What somebody who has just started it wants to know. */
export function welcome({ baseUrl, demo }: RunningPlatform, paths: StatePaths): string {
  const partner = demo.partners[0];
  return `
  Partner onboarding is running.

    API              ${baseUrl}/api
    Documentation    ${baseUrl}/docs
    OpenAPI          ${baseUrl}/api/openapi.json
    Demo accounts    ${paths.demoFile}
    Data and logs    ${paths.root}

  Try:

    curl ${baseUrl}/readyz
    curl ${baseUrl}/api/openapi.json
    curl -i ${baseUrl}/api/partner/v1/business-profiles${partner ? `      # 401: then get a token as ${partner.clientId}, see /docs` : ""}

  Ctrl-C stops everything.
`;
}
