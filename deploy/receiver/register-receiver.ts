/** Registers the receiver's URL with the local platform, as a person would in the dashboard. */
import { signIn } from "../lib/dashboard-session.ts";
import { demoPartner } from "../lib/demo-accounts.ts";
import type { DemoData } from "../lib/demo-data.ts";
import type { KeptSecrets } from "./kept-secrets.ts";

export type Registered = { partnerName: string; secret: string; how: string };

type Wish = { demo: DemoData; partner: number; url: string; kept: KeptSecrets; rotate?: boolean };

type Registration = { webhookSecret: string | null };

const CHANGERS = ["Owner", "Developer"];
const WEBHOOKS = "/customer/v1/partner-profile/webhooks";

export async function registerReceiver({ demo, url, kept, rotate, ...wish }: Wish): Promise<Registered> {
  const partner = demoPartner(demo, wish.partner);
  const user = partner.users.find(({ role }) => CHANGERS.includes(role));
  if (!user) throw new Error(`${partner.name} has no user who may register a webhook.`);
  const session = await signIn(demo.baseUrl, user);
  const { webhookSecret } = await session.call<Registration>("POST", WEBHOOKS, { url });
  const known = webhookSecret ?? (rotate ? undefined : kept.of(partner.partnerId));
  const rotated = async () =>
    (await session.call<Registration>("POST", `${WEBHOOKS}/rotate-secret`)).webhookSecret;
  // A secret is shown once; who does not hold it any more asks for a new one.
  const secret = known ?? (await rotated()) ?? "";
  kept.keep(partner.partnerId, secret);
  const how = webhookSecret
    ? "the URL is registered"
    : `the URL is replaced${known ? "" : " and the secret rotated"}`;
  return { partnerName: partner.name, secret, how };
}
