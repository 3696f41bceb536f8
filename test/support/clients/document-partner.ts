/** A partner's machine that talks HTTP to a running platform, and a look at the events it caused. */
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "nats";
import type { DemoPartner } from "../../../deploy/lib/demo-accounts.ts";
import type { EventEnvelope } from "../../../shared/events/events.ts";
import { makeAssertion, tokenForm } from "../builders/assertions.ts";
import { ask as askDocumented } from "../http/ask.ts";
import type { TestPlatform } from "../stage/platform.ts";
import { waitFor } from "../wait-for.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely and fail when they are wrong.
export type Loose = any;
export type Answer = { status: number; headers: Headers; code: string | null; value: Loose; error: Loose };
export type Partner = Awaited<ReturnType<typeof aPartner>>;

export const PDF = "%PDF-1.7\n%%EOF\n";

export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const { status, headers, body } = await askDocumented(url, init);
  return { status, headers, code: body.error?.code ?? null, value: body.value, error: body.error };
}

export const json = (body: unknown, headers: Record<string, string>, method = "POST"): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});

export async function aPartner({ demo }: TestPlatform, { clientId, privateKeyFile }: DemoPartner) {
  const key = createPrivateKey(readFileSync(privateKeyFile));
  let token = { text: "", until: 0 };

  async function authorization() {
    if (token.until < Date.now()) {
      const form = tokenForm(makeAssertion({ clientId, key, audience: demo.issuer }));
      const { body } = await askDocumented(demo.tokenUrl, { method: "POST", body: form });
      token = { text: body.access_token, until: Date.now() + 200_000 };
    }
    return { Authorization: `Bearer ${token.text}` };
  }

  const profiles = `${demo.baseUrl}/api/partner/v1/business-profiles`;
  const partner = {
    send: async (method: string, path: string, body: unknown) =>
      ask(`${profiles}${path}`, json(body, await authorization(), method)),
    async get(path: string): Promise<Loose> {
      const answer = await ask(`${profiles}${path}`, { headers: await authorization() });
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.code}`);
      return answer.value;
    },
    async create(body: unknown): Promise<Loose> {
      const answer = await partner.send("POST", "", body);
      if (answer.status !== 200) throw new Error(`create: ${answer.status} ${JSON.stringify(answer.error)}`);
      return answer.value;
    },
    ask: (customerId: string, body: unknown) =>
      partner.send("POST", `/${customerId}/documents/upload-link`, body),
    async link(customerId: string, body: unknown = A_STATEMENT): Promise<Loose> {
      const answer = await partner.ask(customerId, body);
      if (answer.status !== 200) throw new Error(`upload-link: ${answer.status} ${answer.code}`);
      return answer.value;
    },
    document: async (customerId: string, documentId: string): Promise<Loose> =>
      (await partner.get(`/${customerId}`)).documents.find((one: Loose) => one.documentId === documentId),
    shown: (customerId: string, documentId: string, status: string) =>
      waitFor(
        async () => {
          const document = await partner.document(customerId, documentId);
          return document?.status === status ? document : null;
        },
        { what: `document ${documentId} to show as ${status}`, everyMs: 100 },
      ),
  };
  return partner;
}

export const A_STATEMENT = { documentCategory: "BankStatement", contentType: "application/pdf" };

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

/** Every confirmation that ever was published, oldest first. */
export async function confirmations({ addresses }: TestPlatform): Promise<EventEnvelope[]> {
  const nats = await connect({ servers: addresses.natsUrl });
  try {
    const manager = await nats.jetstreamManager();
    const { first_seq, last_seq } = (await manager.streams.info("EVENTS")).state;
    const found: EventEnvelope[] = [];
    for (let seq = Math.max(1, first_seq); seq <= last_seq; seq += 1) {
      const message = await manager.streams.getMessage("EVENTS", { seq });
      for (const line of message.string().split("\n")) {
        const event = JSON.parse(line) as EventEnvelope;
        if (event.eventType === "business.document.confirmed") found.push(event);
      }
    }
    return found;
  } finally {
    await nats.close();
  }
}
