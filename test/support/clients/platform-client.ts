/** A partner's machine against a running platform. */
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { makeAssertion, tokenForm } from "../builders/assertions.ts";
import { ask } from "../http/ask.ts";
import type { Loose } from "../stage/profile-stage.ts";

export type ClientAnswer = {
  status: number;
  headers: Headers;
  body: Loose;
  code: string | null;
  value: Loose;
};
export type PartnerClient = Awaited<ReturnType<typeof partnerClient>>;

/** A good request for a token of a demo partner, to be sent once. */
export function tokenRequest({ partners, issuer }: DemoData, index = 0, scope?: string): URLSearchParams {
  const account = partners[index];
  if (!account) throw new Error(`There is no demo partner ${index}.`);
  const key = createPrivateKey(readFileSync(account.privateKeyFile));
  const assertion = makeAssertion({ clientId: account.clientId, key, audience: issuer });
  return tokenForm(assertion, scope ? { scope } : {});
}

export async function partnerClient(demo: DemoData, index = 0, scope?: string) {
  const form = tokenRequest(demo, index, scope);
  const { body: granted } = await ask(demo.tokenUrl, { method: "POST", body: form });
  const token = String(granted.access_token);

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ClientAnswer> {
    const {
      status,
      headers: answered,
      body: parsed,
    } = await ask(demo.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status,
      headers: answered,
      body: parsed,
      code: parsed.error?.code ?? null,
      value: parsed.value,
    };
  }

  return {
    partnerId: demo.partners[index]?.partnerId ?? "",
    token,
    send,
    /** The value of a success, or the test fails with the answer. */
    async value(method: string, path: string, body?: unknown): Promise<Loose> {
      const result = await send(method, path, body);
      if (result.status !== 200)
        throw new Error(`${method} ${path}: ${result.status} ${JSON.stringify(result.body)}`);
      return result.value;
    },
  };
}
