import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { makeAssertion, tokenForm } from "../builders/assertions.ts";
import { ask } from "../http/ask.ts";
import { PROFILES } from "../stage/api-stage.ts";
import type { Loose } from "../stage/profile-stage.ts";
import { waitFor } from "../wait-for.ts";

export type ClientAnswer = {
  status: number;
  headers: Headers;
  body: Loose;
  code: string | null;
  value: Loose;
};
export type PartnerClient = Awaited<ReturnType<typeof partnerClient>>;

export const A_STATEMENT = { documentCategory: "BankStatement", contentType: "application/pdf" };
export const PDF = samplePdf().toString("latin1");
/** Tokens last 300 s. */
const SAME_TOKEN_MS = 200_000;

type Machine = Pick<DemoData, "baseUrl" | "tokenUrl" | "issuer" | "partners">;

/** A good request for a token of a demo partner, to be sent once. */
export function tokenRequest({ partners, issuer }: Machine, index = 0, scope?: string): URLSearchParams {
  const account = partners[index];
  if (!account) throw new Error(`There is no demo partner ${index}.`);
  const key = createPrivateKey(readFileSync(account.privateKeyFile));
  const assertion = makeAssertion({ clientId: account.clientId, key, audience: issuer });
  return tokenForm(assertion, scope ? { scope } : {});
}

export async function partnerClient(demo: Machine, index = 0, scope?: string) {
  const newGrant = async () => {
    const form = tokenRequest(demo, index, scope);
    const { body } = await ask(demo.tokenUrl, { method: "POST", body: form });
    return { token: String(body.access_token), until: Date.now() + SAME_TOKEN_MS };
  };
  let grant = await newGrant();

  const client = {
    partnerId: demo.partners[index]?.partnerId ?? "",
    token: grant.token,

    async send(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<ClientAnswer> {
      if (grant.until < Date.now()) grant = await newGrant();
      const answer = await ask(demo.baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${grant.token}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { ...answer, code: answer.body.error?.code ?? null, value: answer.body.value };
    },
    /** The value of a success, or the test fails with the answer. Tries again where the answer says so. */
    async value(method: string, path: string, body?: unknown): Promise<Loose> {
      const answer = await waitFor(
        async () => {
          const once = await client.send(method, path, body);
          return once.code === "Service.Unavailable" ? null : once;
        },
        { what: `${method} ${path} to be possible`, everyMs: 500 },
      );
      if (answer.status !== 200)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.value;
    },

    create: (body: unknown) => client.value("POST", PROFILES, body),
    profile: (customerId: string) => client.value("GET", `${PROFILES}/${customerId}`),
    patch: (customerId: string, body: unknown) => client.send("PATCH", `${PROFILES}/${customerId}`, body),
    askForLink: (customerId: string, body: unknown) => client.send("POST", linkPath(customerId), body),
    link: (customerId: string, body: unknown = A_STATEMENT) =>
      client.value("POST", linkPath(customerId), body),
    document: async (customerId: string, documentId: string): Promise<Loose> =>
      (await client.profile(customerId)).documents.find((one: Loose) => one.documentId === documentId),
    shown: (customerId: string, documentId: string, status: string) =>
      waitFor(
        async () => {
          const document = await client.document(customerId, documentId);
          return document?.status === status ? document : null;
        },
        { what: `document ${documentId} to show as ${status}`, everyMs: 100 },
      ),
  };
  return client;
}

const linkPath = (customerId: string): string => `${PROFILES}/${customerId}/documents/upload-link`;

export const put = (
  link: Loose,
  body: string | Uint8Array<ArrayBuffer> = PDF,
  contentType?: string,
): Promise<Response> =>
  fetch(link.uploadUrl, {
    method: link.method,
    headers: { ...link.headers, ...(contentType ? { "Content-Type": contentType } : {}) },
    body,
  });
