/** A partner of the benchmark with its calls, and people who sign in to the dashboard. */
import { randomBytes } from "node:crypto";
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
  // Settings that every version accepts.
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

/** Calls the API before or after the measured time and returns the value of the answer. */
export async function postJson<T>(url: string, headers: Record<string, string>, body: unknown): Promise<T> {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { value: T }).value;
}

/** The dashboard that a person looks at. */
export type Place = {
  url: string;
  partnerId: string;
  admin<T>(work: (call: AdminCall) => Promise<T>): Promise<T>;
};

export type SignIn = (place: Place) => Promise<string>;

export const asOwner: SignIn = (place) =>
  cookieOf(place, (call, login) =>
    call("auth-token.createUser", { ...login, partnerId: place.partnerId, role: "Owner" }),
  );

export const asAnalyst: SignIn = (place) =>
  cookieOf(place, (call, login) => call("auth-token.createAnalyst", login));

async function cookieOf(
  { url, admin }: Place,
  create: (call: AdminCall, login: { email: string; password: string }) => Promise<unknown>,
): Promise<string> {
  const login = {
    email: `${randomBytes(4).toString("hex")}@bench.example`,
    password: randomBytes(12).toString("base64url"),
  };
  await admin((call) => create(call, login));
  const answer = await fetch(`${url}/api/customer/v1/session`, {
    method: "POST",
    body: JSON.stringify(login),
    headers: { "Content-Type": "application/json" },
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
