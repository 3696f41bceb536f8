/** The two demo partners, as their machines and people call, and the receiver of their webhooks. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { tokenRequest } from "../../support/clients/partner-client.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Received } from "./checker.rules.ts";
import type { Answer } from "./ledger.rules.ts";
import type { LabStage } from "./stage.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, and compared later.
type Loose = any;
export type CallAnswer = Answer & { value: Loose; requestId: string | null };

type Call = (gateway: string, method: string, path: string, body?: unknown) => Promise<CallAnswer>;
/** Calls with an access token, and clicks as the Owner with a session. */
export type Partner = { partnerId: string; call: Call; click: Call };
export type Partners = Awaited<ReturnType<typeof registerPartners>>;

const NO_ANSWER = { status: null, code: null, description: "", requestId: null, value: null, cookie: "" };

export const PROFILES = "/api/partner/v1/business-profiles";
export const EVENTS = "/api/partner/v1/events";
export const WEBHOOKS = "/api/customer/v1/partner-profile/webhooks";
const SESSION = "/api/customer/v1/session";

/** Above the longest that the API promises. */
const ANSWER_WITHIN_MS = 20_000;
/** Tokens last 300 s. */
const SAME_TOKEN_MS = 200_000;

export async function registerPartners(stage: LabStage) {
  const { cert, key } = stage.demo.tls;
  const receiver = await startReceiver({
    certificate: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") },
  });
  const all: Partner[] = [];
  const secrets: string[] = [];
  for (const index of stage.demo.partners.keys()) {
    const partner = await signIn(stage, index);
    const url = receiver.url(`/hook/${index}`);
    const { value } = await untilServed(() => partner.click(stage.demo.baseUrl, "POST", WEBHOOKS, { url }));
    secrets.push(value.webhookSecret);
    all.push(partner);
  }
  const judged: Received[] = [];
  return {
    all,
    receiver,
    received(): Received[] {
      for (const { path, headers, body, bytes, receivedAt } of receiver.requests.slice(judged.length)) {
        const index = Number(path.split("/").at(-1));
        const isSigned = isSignedBy(secrets[index] ?? "", headers, bytes);
        const partnerId = all[index]?.partnerId ?? "";
        const eventId = headers["svc-event-id"] ?? "";
        judged.push({ eventId, partnerId, body, isSigned, receivedAtMs: receivedAt });
      }
      return judged;
    },
    close: () => receiver.close(),
  };
}

async function signIn({ demo }: LabStage, index: number): Promise<Partner> {
  const owner = demo.partners[index]?.users.find(({ role }) => role === "Owner");
  let grant = { token: "", until: 0 };
  async function tokenFrom(gateway: string): Promise<string | null> {
    if (grant.until > Date.now()) return grant.token;
    const { value } = await send(`${gateway}/oauth2/token`, "POST", {}, tokenRequest(demo, index));
    if (!value?.access_token) return null;
    grant = { token: value.access_token, until: Date.now() + SAME_TOKEN_MS };
    return grant.token;
  }
  const credentials = { email: owner?.email, password: owner?.password };
  const { cookie } = await untilServed(() => send(demo.baseUrl + SESSION, "POST", {}, credentials));
  return {
    partnerId: demo.partners[index]?.partnerId ?? "",
    async call(gateway, method, path, body) {
      const token = await tokenFrom(gateway);
      return token === null
        ? NO_ANSWER
        : send(gateway + path, method, { Authorization: `Bearer ${token}` }, body);
    },
    click: (gateway, method, path, body) => send(gateway + path, method, { Cookie: cookie }, body),
  };
}

/** Twelve processes that have just started on a busy machine may answer 503 for a moment. */
const untilServed = <T extends CallAnswer>(ask: () => Promise<T>): Promise<T> =>
  waitFor(async () => {
    const answer = await ask();
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.description}`);
    return answer;
  }, "an answer of 200");

/** Never fails: no answer is an answer with no status. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<CallAnswer & { cookie: string }> {
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const parsed: Loose = text ? JSON.parse(text) : {};
    return {
      status: response.status,
      code: parsed.error?.code ?? null,
      description: String(parsed.error?.description ?? parsed.error?.message ?? ""),
      requestId: parsed.error?.requestId ?? null,
      value: parsed.value ?? parsed,
      cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
    };
  } catch (error) {
    return { ...NO_ANSWER, description: (error as Error).message };
  }
}

function isSignedBy(secret: string, headers: Record<string, string>, bytes: Buffer): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["svc-event-id"]}.${headers["svc-timestamp"]}.`;
  const expected = createHmac("sha256", key).update(signed).update(bytes).digest();
  return (headers["svc-signature"] ?? "").split(" ").some((part) => {
    const given = Buffer.from(part.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
