/** Registers the receiver's URL with the local platform, as a person would in the dashboard. */
import { signIn } from "../lib/dashboard-session.ts";
import type { DemoData, DemoPartner } from "../lib/demo-data.ts";
import { readJson, writePrivateFile } from "../lib/files.ts";
import { statePaths } from "../lib/paths.ts";

type Given = { demo: DemoData; partner: DemoPartner; url: string; state: string; rotate?: boolean };

type Registration = { webhookSecret: string | null };

const WEBHOOKS = "/customer/v1/partner-profile/webhooks";

export async function registerReceiver({ demo, partner, url, state, rotate }: Given) {
  const user = partner.users.find(({ role }) => role === "Owner");
  if (!user) throw new Error(`${partner.name} has no Owner, who may register a webhook.`);
  const session = await signIn(demo.baseUrl, user);
  const { webhookSecret } = await session.call<Registration>("POST", WEBHOOKS, { url });
  // The platform shows a secret once, so it is kept for the next start; without it a new one is requested.
  const { receiverSecretsFile } = statePaths(state);
  const kept = readJson<Record<string, string>>(receiverSecretsFile) ?? {};
  const known = webhookSecret ?? (rotate ? undefined : kept[partner.partnerId]);
  const rotated = async () =>
    (await session.call<Registration>("POST", `${WEBHOOKS}/rotate-secret`)).webhookSecret;
  const secret = known ?? (await rotated()) ?? "";
  const secrets = { ...kept, [partner.partnerId]: secret };
  writePrivateFile(receiverSecretsFile, `${JSON.stringify(secrets, null, 2)}\n`);
  const how = webhookSecret
    ? "the URL is registered"
    : `the URL is replaced${known ? "" : " and the secret rotated"}`;
  return { secret, how };
}
