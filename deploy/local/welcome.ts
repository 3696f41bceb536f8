/** The welcome of `npm start`: addresses, and the next commands to try. */
import { resolve } from "node:path";
import { processEnv } from "../../shared/config/config.ts";
import type { DemoAccounts } from "../lib/demo-data.ts";
import { defaultStateDir, type StatePaths } from "../lib/paths.ts";
import type { RunningPlatform } from "./platform.ts";

type Running = Pick<RunningPlatform, "baseUrl" | "demo">;

export function welcome({ baseUrl, demo }: Running, paths: StatePaths): string {
  const state = paths.root === resolve(defaultStateDir()) ? "" : ` -- --state ${paths.root}`;
  return `
  Partner onboarding is running.

    Dashboard        ${baseUrl}/dashboard
${signIns(demo)}    API              ${baseUrl}/api
    Documentation    ${baseUrl}/docs
    OpenAPI          ${baseUrl}/api/openapi.json
    Readiness        ${baseUrl}/readyz
    All accounts     ${paths.demoFile}
    Data and logs    ${paths.root}
    Malware scan     ${processEnv().PBO_SCANNER_ADDRESS || "none: set PBO_SCANNER_ADDRESS to a clamd"}

  Try it from another terminal; README.md has the calls to copy:

    npm run demo${state}
        a partner's first minutes by itself: token, customer, document, status, verified webhooks
    npm run receiver${state}
        prints the webhooks of the customers that you create yourself
    npm run --silent token${state}
        an access token for your own calls
    npm run admin -- --help
        the operator's commands

  Only warnings and errors of the services are shown here; npm start -- --verbose shows all.
  Ctrl-C stops everything.
`;
}

/** Sign-ins of an Owner and of the analysts; the passwords are those of this machine. */
function signIns({ partners, analysts }: DemoAccounts): string {
  const owner = partners[0]?.users.find(({ role }) => role === "Owner");
  const people = [...(owner ? [owner] : []), ...analysts];
  const longest = Math.max(...people.map(({ email }) => email.length));
  return people
    .map(({ email, password }) => `      sign in as     ${email.padEnd(longest)}  ${password}\n`)
    .join("");
}
