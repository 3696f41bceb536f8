/** Registers the receiver's URL with the local platform, as a person would in the dashboard. */
import { demoPartner } from "../lib/demo-accounts.ts";
import type { DemoData } from "../lib/demo-data.ts";
import type { KeptSecrets } from "./kept-secrets.ts";

export type Registered = { partnerName: string; secret: string; how: string };

type Wish = { demo: DemoData; partner: number; url: string; kept: KeptSecrets; rotate?: boolean };

type Dashboard = {
  value: { webhookSecret: string | null } | null;
  error: { code: string; description: string } | null;
};

const CHANGERS = ["Owner", "Developer"];
const ANSWER_WITHIN_MS = 15_000;

export async function registerReceiver({ demo, url, kept, rotate, ...wish }: Wish): Promise<Registered> {
  const partner = demoPartner(demo, wish.partner);
  const user = partner.users.find(({ role }) => CHANGERS.includes(role));
  if (!user) throw new Error(`${partner.name} has no user who may register a webhook.`);
  const cookie = await signIn(demo.baseUrl, user);
  const webhooks = `${demo.baseUrl}/api/customer/v1/partner-profile/webhooks`;
  const { webhookSecret } = await post(webhooks, cookie, { url });
  const known = webhookSecret ?? (rotate ? undefined : kept.of(partner.partnerId));
  // A secret is shown once; who does not hold it any more asks for a new one.
  const secret = known ?? (await post(`${webhooks}/rotate-secret`, cookie)).webhookSecret ?? "";
  kept.keep(partner.partnerId, secret);
  const how = webhookSecret
    ? "the URL is registered"
    : `the URL is replaced${known ? "" : " and the secret rotated"}`;
  return { partnerName: partner.name, secret, how };
}

async function signIn(
  baseUrl: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await request(`${baseUrl}/api/customer/v1/session`, { body: { email, password } });
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!response.ok || !cookie)
    throw new Error(`The demo user ${email} could not sign in (${response.status}).`);
  return cookie;
}

async function post(url: string, cookie: string, body?: unknown): Promise<NonNullable<Dashboard["value"]>> {
  const response = await request(url, { cookie, body });
  const { value, error } = (await response.json()) as Dashboard;
  if (!value) throw new Error(`${error?.code ?? response.status}: ${error?.description ?? "no answer"}`);
  return value;
}

function request(url: string, { cookie, body }: { cookie?: string; body?: unknown }): Promise<Response> {
  return fetch(url, {
    method: "POST",
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: {
      ...(cookie ? { Cookie: cookie } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
