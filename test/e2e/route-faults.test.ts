/** Every row of the route table, called rightly while a server it needs is gone or hangs. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  DOCUMENTED_ROUTES as ROUTES,
  type DocumentedRoute as Route,
} from "../../gateway/openapi/documented-routes.ts";
import { aProfile } from "../support/builders/profile-builders.ts";
import { signIn } from "../support/clients/dashboard.ts";
import { demoLogin } from "../support/clients/dashboard-client.ts";
import { type PartnerClient, partnerClient, tokenRequest } from "../support/clients/platform-client.ts";
import { ask } from "../support/http/ask.ts";
import { type ServerName, startPlatform, type TestPlatform } from "../support/stage/platform.ts";
import { waitFor } from "../support/wait-for.ts";

const SESSION = "/api/customer/v1/session";
/** More than any answer may take: twelve seconds, or two calls that reach their deadline of five. */
const ANSWER_WITHIN_MS = 15_000;
/** Answered from what the process knows; the key set only for as long as it is remembered. */
const NEED_NO_DATABASE = [
  "GET /oauth2/jwks",
  "GET /.well-known/oauth-authorization-server",
  "GET /api/customer/v1/onboarding/ubo-identity-requirements",
  "GET /api/customer/v1/onboarding/business-types",
  "GET /api/ping",
];

type Answer = { row: string; status: number; code: string | null };

let platform: TestPlatform;
let partner: PartnerClient;
let customerId: string;

beforeAll(async () => {
  platform = await startPlatform();
  partner = await partnerClient(platform.demo);
  customerId = (await partner.value("POST", "/api/partner/v1/business-profiles", aProfile())).customerId;
}, 120_000);
afterAll(() => platform?.stop());

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** What lets each kind of caller in. */
async function admissions(): Promise<Record<Route["auth"], Record<string, string>>> {
  const owner = { Cookie: (await signIn(platform.demo, demoLogin(platform.demo, "Owner"))).cookie };
  return {
    partner: { Authorization: `Bearer ${partner.token}` },
    user: owner,
    session: owner,
    analyst: { Cookie: (await signIn(platform.demo, platform.demo.analysts[0])).cookie },
    none: {},
  };
}

function bodyOf(route: Route): RequestInit {
  if (route.body === "none") return {};
  if (route.body === "form") return { body: tokenRequest(platform.demo) };
  const example = route.path === SESSION ? demoLogin(platform.demo, "Developer") : route.doc.bodyExample;
  return { body: JSON.stringify(example ?? {}), headers: { "Content-Type": "application/json" } };
}

async function call(route: Route, admission: Record<string, string>): Promise<Answer> {
  const path = route.path
    .replace(/:customerId|:businessProfileId/, customerId)
    .replaceAll(/:\w+/g, "0190b9a2-0000-7000-8000-000000000000");
  const { headers = {}, ...rest } = bodyOf(route);
  const query = route.path.endsWith("ubo-identity-requirements") ? "?countryCode=NGA" : "";
  const { status, body } = await ask(platform.baseUrl + path + query, {
    method: route.method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: { ...admission, ...headers },
    ...rest,
  });
  const code = typeof body.error === "string" ? body.error : (body.error?.code ?? null);
  return { row: nameOf(route), status, code };
}

const whenAway = (route: Route): Answer => ({
  row: nameOf(route),
  status: 503,
  code:
    route.envelope === "plain" ? "temporarily_unavailable" : (route.unavailableCode ?? "Service.Unavailable"),
});

async function untilMissed(server: RegExp): Promise<void> {
  await waitFor(
    async () => {
      const { status, checks } = await platform.readiness();
      return status === 503 && Object.keys(checks).some((name) => checks[name] !== "ok" && server.test(name));
    },
    { what: `readiness to miss ${server}`, timeoutMs: 60_000 },
  );
}

const outages: { server: ServerName; how: "stopped" | "frozen"; missing: RegExp; served: string[] }[] = [
  { server: "mongod", how: "stopped", missing: /mongodb/, served: NEED_NO_DATABASE },
  { server: "mongod", how: "frozen", missing: /mongodb/, served: NEED_NO_DATABASE },
  { server: "nats", how: "stopped", missing: /nats/, served: [] },
  { server: "nats", how: "frozen", missing: /nats/, served: [] },
];

test.each(outages)(
  "$server $how: every row answers 503 in time",
  async ({ server, how, missing, served }) => {
    await platform.untilReady();
    const admission = await admissions();
    if (how === "stopped") await platform.stopServer(server);
    else platform.kill(server, "SIGSTOP");
    try {
      const answers = await Promise.all(ROUTES.map((route) => call(route, admission[route.auth])));
      const isServed = ({ row, status }: Answer) => status === 200 && served.includes(row);
      expect(
        answers.map((answer, index) => (isServed(answer) ? whenAway(ROUTES[index] as Route) : answer)),
      ).toEqual(ROUTES.map(whenAway));
      await untilMissed(missing);
    } finally {
      if (how === "stopped") await platform.startServer(server);
      else platform.kill(server, "SIGCONT");
    }
    await platform.untilReady();
  },
);
