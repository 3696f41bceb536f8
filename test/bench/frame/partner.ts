/** A partner of the benchmark, and the headers of its calls. */
import type { AdminCall } from "../../../deploy/admin/command.ts";
import type * as connect from "../../../deploy/admin/connect.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { makeAssertion, tokenForm } from "../../support/builders/assertions.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { BenchEnv } from "./env.ts";

type Bench = Pick<BenchEnv, "settings" | "product">;

const TOKEN_GOOD_MS = 120_000;

export async function asOperator<T>(
  { settings, product }: Bench,
  work: (call: AdminCall) => Promise<T>,
): Promise<T> {
  const { connectAdmin } = await product<typeof connect>("deploy/admin/connect.ts");
  // What every version knows.
  const { PBO_ENV, PBO_NAMESPACE, PBO_NATS_URL, PBO_NATS_CA_FILE } = settings;
  const tls = PBO_NATS_CA_FILE ? { PBO_NATS_CA_FILE } : {};
  const { call, close } = await connectAdmin({ PBO_ENV, PBO_NAMESPACE, PBO_NATS_URL, ...tls });
  return work(call).finally(close);
}

/** Approved, and with a certificate that its assertions are signed for. */
export async function registerPartner(env: Bench) {
  const { privateKey, certificatePem } = await makePartnerKeys({ commonName: "Bench Ltd" });
  return asOperator(env, async (call) => {
    const partner = { name: "Bench Ltd", approved: true };
    const { partnerId, clientId } = await call("auth-token.createPartner", partner);
    await call("auth-token.registerCertificate", { partnerId, certificate: certificatePem });
    return { partnerId, clientId, privateKey };
  });
}

/** A partner that may call, and the headers of its calls. */
export async function admitPartner(env: Bench, url: string) {
  const { partnerId, clientId, privateKey } = await registerPartner(env);
  const newToken = async (): Promise<string> => {
    const body = tokenForm(makeAssertion({ clientId, key: privateKey, audience: url }));
    const response = await fetch(`${url}/oauth2/token`, { method: "POST", body });
    if (response.status !== 200) throw new Error(`token: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  let token = { text: "", until: 0 };
  const headers = async () => {
    if (token.until < Date.now()) {
      const text = await waitFor(newToken, { what: "a token", timeoutMs: 15_000 });
      token = { text, until: Date.now() + TOKEN_GOOD_MS };
    }
    return { Authorization: `Bearer ${token.text}`, "Content-Type": "application/json" };
  };
  return { partnerId, headers };
}
